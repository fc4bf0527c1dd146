import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Refund, refundOrigins, refundStatuses } from '#domain/model/money/refund.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord } from '../engine/readable.ts';
import { optionalReference, reference } from '../engine/reference.ts';

export const RefundStatus = builder.enumType('RefundStatus', {
  description: 'The status of a refund. A succeeded refund may still fail later.',
  values: described(refundStatuses, {
    pending: 'The refund is in progress; with bank debits for days.',
    requires_action:
      'The customer must do something at the payment processor to receive the money.',
    succeeded: 'The amount is refunded.',
    failed: 'The refund failed: the customer does not receive the money.',
    canceled: 'The refund was canceled before it was executed.',
  }),
});

export const RefundOrigin = builder.enumType('RefundOrigin', {
  description: 'The party that started a refund.',
  values: described(refundOrigins, {
    service: 'The refund was requested with the API.',
    processor: 'Someone refunded the payment at the payment processor.',
  }),
});

builder.node(Refund, {
  name: 'Refund',
  description: 'A full or partial refund of a payment.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('refund'),
  loadOne: loadOne(Refund),
  fields: (t) => ({
    paymentId: t.exposeID('paymentId', { description: 'The payment that is refunded.' }),
    payment: t.field(reference(Payment, 'paymentId', 'The payment that is refunded.')),
    customerId: t.exposeID('customerId', { description: 'The customer that receives the refund.' }),
    customer: t.field(reference(Customer, 'customerId', 'The customer that receives the refund.')),
    amount: t.expose('amount', {
      type: 'SafeInt',
      description: 'The amount, in minor units of the currency.',
    }),
    creditNoteId: t.exposeID('creditNoteId', {
      nullable: true,
      description: 'The credit note that documents the refund.',
    }),
    creditNote: t.field(
      optionalReference(
        CreditNote,
        'creditNoteId',
        'The credit note that documents the refund; null if the credit balance pays for all of it.',
      ),
    ),
    fromBalance: t.expose('fromBalance', {
      type: 'SafeInt',
      description:
        'The part that an earlier credit note had credited, and that the credit balance pays for; minor units.',
    }),
    status: t.expose('status', { type: RefundStatus, description: 'The status.' }),
    origin: t.expose('origin', { type: RefundOrigin, description: 'The party that started it.' }),
    settledAt: t.expose('settledAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when the refund succeeded.',
    }),
    failedAt: t.expose('failedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when a refund that had succeeded failed after all.',
    }),
    processorReference: t.exposeString('processorReference', {
      nullable: true,
      description: 'The payment processor’s reference of the refund.',
    }),
    failureCode: t.exposeString('failureCode', {
      nullable: true,
      description: 'The machine-readable reason why the refund failed.',
    }),
    failureMessage: t.exposeString('failureMessage', {
      nullable: true,
      description: 'The reason why the refund failed.',
    }),
  }),
});
