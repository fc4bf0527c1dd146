import { Dispute } from '#domain/model/money/dispute.ts';
import { readable } from '../engine/readable.ts';
import { byAmount, byEnum, byId, byText, byTime } from '../engine/where.ts';
import { DisputeStatus } from './disputes.ts';

readable({
  one: 'dispute',
  many: 'disputes',
  noun: 'dispute',
  entity: Dispute,
  where: {
    payment: byId('payment', 'The payment.'),
    customer: byId('customerId', 'The customer of the payment.'),
    status: byEnum(DisputeStatus, 'status', 'The status.'),
    reason: byText('reason', 'The reason that the bank states.'),
    openedAt: byTime('openedAt', 'The time when the bank opened the dispute.'),
    amount: byAmount('amount', 'The disputed amount, in minor units.'),
  },
  orders: {
    amount: { property: 'amount', kind: 'integer', inCurrency: true, words: 'amount' },
  },
});
