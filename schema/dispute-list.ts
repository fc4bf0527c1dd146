import { Dispute } from '#domain/disputes/dispute.ts';
import { DisputeStatus } from './disputes.ts';
import { builder } from './engine/builder.ts';
import { readable } from './engine/readable.ts';
import { byAmount, byEnum, byId, byText, byTime } from './engine/where.ts';

const DisputeFilter = builder.inputType('DisputeFilter', {
  description: 'A filter for disputes; all given fields must match.',
  fields: (t) => ({
    payment: t.id({ description: 'The id of the payment.' }),
    customerId: t.id({ description: 'The id of the customer.' }),
    status: t.field({ type: DisputeStatus, description: 'The status.' }),
  }),
});

readable({
  one: 'dispute',
  many: 'disputes',
  noun: 'dispute',
  entity: Dispute,
  filter: DisputeFilter,
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
