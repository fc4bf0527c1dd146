import { paymentStatuses } from '#domain/model/money/payment.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';

export const PaymentStatus = builder.enumType('PaymentStatus', {
  description:
    'The status of a payment. `failed`, `canceled` and `refunded` are final; `succeeded` changes only to `refunded`.',
  values: described(paymentStatuses, {
    canceled: 'The payment was canceled.',
    failed: 'The payment failed.',
    refunded: 'The payment is refunded in full.',
    processing: 'The payment processor is working on the payment.',
    succeeded: 'The payment succeeded.',
    requires_confirmation: 'The service does not set this status.',
    requires_action: 'The customer must confirm the payment.',
  }),
});
