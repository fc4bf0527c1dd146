import { Refund } from '#domain/model/money/refund.ts';
import { readable } from '../engine/readable.ts';
import { byAmount, byEnum, byId } from '../engine/where.ts';
import { RefundOrigin, RefundStatus } from './refunds.ts';

readable({
  one: 'refund',
  many: 'refunds',
  noun: 'refund',
  entity: Refund,
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
