import { Dispute, disputeStatuses } from '#domain/model/money/dispute.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord } from '../engine/readable.ts';
import { reference } from '../engine/reference.ts';

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

builder.node(Dispute, {
  name: 'Dispute',
  description: 'An objection of a customer’s bank to a payment.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('dispute'),
  loadOne: loadOne(Dispute),
  fields: (t) => ({
    paymentId: t.exposeID('paymentId', { description: 'The payment that is disputed.' }),
    payment: t.field(reference(Payment, 'paymentId', 'The payment that is disputed.')),
    customerId: t.exposeID('customerId', { description: 'The customer of the payment.' }),
    customer: t.field(reference(Customer, 'customerId', 'The customer of the payment.')),
    status: t.expose('status', { type: DisputeStatus, description: 'The status.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      description: 'The disputed amount, in minor units; it may differ from the payment.',
    }),
    currency: t.exposeString('currency', {
      description: 'The currency, an ISO 4217 code in upper case.',
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'The reason that the bank states, such as `fraudulent`.',
    }),
    withdrawnAmount: t.expose('withdrawnAmount', {
      type: 'SafeInt',
      description: 'The amount that is withdrawn and not reinstated, in minor units.',
    }),
    fee: t.expose('fee', {
      type: 'SafeInt',
      description: 'The payment processor’s fee for the dispute, in minor units.',
    }),
    evidenceDueAt: t.expose('evidenceDueAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time until which evidence may be submitted at the payment processor.',
    }),
    openedAt: t.expose('openedAt', {
      type: 'Timestamp',
      description: 'The time when the bank opened the dispute.',
    }),
    closedAt: t.expose('closedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when the dispute was decided; null until then.',
    }),
    processorReference: t.exposeString('processorReference', {
      description: 'The payment processor’s reference of the dispute.',
    }),
  }),
});
