import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Refund, refundOrigins, refundStatuses } from '#domain/model/money/refund.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { nullable, of, safeInt } from '../engine/fields.ts';
import { optionalReference, withId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';

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

record(Refund, {
  description: 'A full or partial refund of a payment.',
  fields: () => ({
    ...withId('payment', Payment, 'The payment that is refunded.'),
    ...withId('customer', Customer, 'The customer that receives the refund.'),
    amount: safeInt('The amount, in minor units of the currency.'),
    creditNoteId: nullable.id('The credit note that documents the refund.'),
    creditNote: optionalReference(
      CreditNote,
      'creditNoteId',
      'The credit note that documents the refund; null if the credit balance pays for all of it.',
    ),
    fromBalance: safeInt(
      'The part that an earlier credit note had credited, and that the credit balance pays for; minor units.',
    ),
    status: of(RefundStatus, 'The status.'),
    origin: of(RefundOrigin, 'The party that started it.'),
    settledAt: nullable.time('The time when the refund succeeded.'),
    failedAt: nullable.time('The time when a refund that had succeeded failed after all.'),
    processorReference: nullable.text('The payment processor’s reference of the refund.'),
    failureCode: nullable.text('The machine-readable reason why the refund failed.'),
    failureMessage: nullable.text('The reason why the refund failed.'),
  }),
});
