import { Remittance } from '#domain/model/money/remittance.ts';
import { readable } from '../engine/readable.ts';
import { byAmount, byEnum, byId, byText, byTime } from '../engine/where.ts';
import { ExternalMethod, RemittanceStatus } from './remittances.ts';

readable({
  one: 'remittance',
  many: 'remittances',
  noun: 'receipt',
  entity: Remittance,
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
