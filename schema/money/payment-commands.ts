import { Payment } from '#domain/model/money/payment.ts';
import {
  refundPayment,
  refundPaymentInput,
} from '#domain/money/commands/payments/refund-payment.ts';
import { id, nullable } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';

mutation('refundPayment', {
  returns: [Payment, 'The refunded payment.'],
  extensions: { inSteps: true },
  description:
    'Refunds a payment in full or in part. Errors: NOT_FOUND; BAD_REQUEST for more than the remaining amount, and for a payment that has not succeeded.',
  args: {
    id: id('The id of the payment.'),
    partialAmount: nullable.safeInt(
      'The amount to refund, in minor units; the remaining amount when absent.',
    ),
  },
  input: refundPaymentInput,
  command: refundPayment,
});
