import { Refund } from '#domain/payments/refund.ts';
import { builder } from './engine/builder.ts';
import { readable } from './engine/readable.ts';
import { byAmount, byEnum, byId } from './engine/where.ts';
import { RefundOrigin, RefundStatus } from './refunds.ts';

const RefundFilter = builder.inputType('RefundFilter', {
  description: 'A filter for refunds; all given fields must match.',
  fields: (t) => ({
    payment: t.id({ description: 'The id of the payment.' }),
    customerId: t.id({ description: 'The id of the customer that receives the refund.' }),
    status: t.field({ type: RefundStatus, description: 'The status.' }),
  }),
});

readable({
  one: 'refund',
  many: 'refunds',
  noun: 'refund',
  entity: Refund,
  filter: RefundFilter,
  where: {
    payment: byId('payment', 'The payment.'),
    customer: byId('customerId', 'The customer that receives the refund.'),
    status: byEnum(RefundStatus, 'status', 'The status.'),
    origin: byEnum(RefundOrigin, 'origin', 'The party that started it.'),
    amount: byAmount('amount', 'The amount, in minor units.'),
  },
  orders: {
    amount: { property: 'amount', kind: 'integer', inCurrency: true, words: 'amount' },
  },
});
