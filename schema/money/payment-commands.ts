import { Payment } from '#domain/model/money/payment.ts';
import {
  refundPayment,
  refundPaymentInput,
} from '#domain/money/commands/payments/refund-payment.ts';
import { builder } from '../engine/builder.ts';
import { fieldMarks } from '../engine/extensions.ts';
import { payload } from '../engine/payload.ts';

builder.mutationField('refundPayment', (t) =>
  t.field({
    type: payload('refundPayment', Payment, 'The refunded payment.'),
    extensions: fieldMarks({ inSteps: true }),
    description:
      'Refunds a payment in full or in part. Errors: NOT_FOUND; BAD_REQUEST for more than the remaining amount, and for a payment that has not succeeded.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the payment.' }),
      partialAmount: t.arg({
        type: 'SafeInt',
        description: 'The amount to refund, in minor units; the remaining amount when absent.',
      }),
    },
    validate: { schema: refundPaymentInput },
    resolve: (_root, args, session) => refundPayment(session, args),
  }),
);
