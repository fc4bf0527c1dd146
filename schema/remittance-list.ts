import { Remittance } from '#domain/remittances/remittance.ts';
import { builder } from './engine/builder.ts';
import { readable } from './engine/readable.ts';
import { byAmount, byEnum, byId, byText, byTime } from './engine/where.ts';
import { ExternalMethod, RemittanceStatus } from './remittances.ts';

const RemittanceFilter = builder.inputType('RemittanceFilter', {
  description: 'A filter for receipts; all given fields must match.',
  fields: (t) => ({
    customer: t.id({ description: 'The id of the customer.' }),
    status: t.field({ type: RemittanceStatus, description: 'The status.' }),
    reference: t.string({ description: 'The reference.' }),
  }),
});

readable({
  one: 'remittance',
  many: 'remittances',
  noun: 'receipt',
  entity: Remittance,
  filter: RemittanceFilter,
  where: {
    customer: byId('customer', 'The customer.'),
    status: byEnum(RemittanceStatus, 'status', 'The status.'),
    method: byEnum(ExternalMethod, 'method', 'How the money arrives.'),
    reference: byText('reference', 'The reference.'),
    receivedAt: byTime('receivedAt', 'The time of the receipt.'),
    expectedAt: byTime('expectedAt', 'The time of an announced payment.'),
    amount: byAmount('amount', 'The amount, in minor units.'),
    currency: byText('currency', 'The currency, in upper case.'),
  },
  orders: {
    amount: { property: 'amount', kind: 'integer', inCurrency: true, words: 'amount' },
  },
});
