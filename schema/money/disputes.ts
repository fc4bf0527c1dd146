import { Dispute, disputeStatuses } from '#domain/model/money/dispute.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { nullable, of, safeInt, text, time } from '../engine/fields.ts';
import { withId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';

export const DisputeStatus = builder.enumType('DisputeStatus', {
  description:
    'The status of a dispute; `won`, `lost`, `prevented` and `inquiry_closed` are final.',
  values: described(disputeStatuses, {
    inquiry: 'The bank asks about the payment; no money moves.',
    inquiry_closed: 'The inquiry is closed; no money has moved.',
    opened:
      'The bank has withdrawn the amount; evidence may be submitted at the payment processor.',
    under_review: 'The bank reviews the evidence.',
    won: 'The dispute was decided for the organization; the amount is reinstated.',
    lost: 'The dispute was decided for the customer; the amount stays withdrawn.',
    prevented: 'The payment processor resolved the dispute before it was opened.',
  }),
});

record(Dispute, {
  description: 'An objection of a customer’s bank to a payment.',
  fields: () => ({
    ...withId('payment', Payment, 'The payment that is disputed.'),
    ...withId('customer', Customer, 'The customer of the payment.'),
    status: of(DisputeStatus, 'The status.'),
    amount: safeInt('The disputed amount, in minor units; it may differ from the payment.'),
    currency: text('The currency, an ISO 4217 code in upper case.'),
    reason: nullable.text('The reason that the bank states, such as `fraudulent`.'),
    withdrawnAmount: safeInt('The amount that is withdrawn and not reinstated, in minor units.'),
    fee: safeInt('The payment processor’s fee for the dispute, in minor units.'),
    evidenceDueAt: nullable.time(
      'The time until which evidence may be submitted at the payment processor.',
    ),
    openedAt: time('The time when the bank opened the dispute.'),
    closedAt: nullable.time('The time when the dispute was decided; null until then.'),
    processorReference: text('The payment processor’s reference of the dispute.'),
  }),
});
