import { oldestFirst } from '#domain/kernel/columns.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Remittance } from '#domain/model/money/remittance.ts';
import {
  cancelExpectedPayment,
  cancelExpectedPaymentInput,
} from '#domain/money/commands/remittances/cancel-expected-payment.ts';
import { expectPayment } from '#domain/money/commands/remittances/expect-payment.ts';
import { recordPayment } from '#domain/money/commands/remittances/record-payment.ts';
import {
  expectPaymentInput,
  recordPaymentInput,
} from '#domain/money/commands/remittances/remittance-input.ts';
import {
  reversePayment,
  reversePaymentInput,
} from '#domain/money/commands/remittances/reverse-payment.ts';
import { atMostBelow, mostBelow } from '../engine/below.ts';
import { id, nullable, safeInt, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input, object } from '../engine/types.ts';
import { ExternalMethod } from './remittances.ts';

const AllocationInput = input('PaymentAllocationInput', {
  description: 'The part of a receipt that an invoice gets.',
  fields: {
    invoiceId: id('The invoice.'),
    amount: safeInt('The part, in minor units; at most the amount due of the invoice.'),
  },
});

/** A payload with a receipt, and with the payments of its invoices. */
const payload = (name: string, description: string) =>
  object<Remittance>(name)({
    description,
    fields: (t) => ({
      remittance: t.field({
        type: Remittance,
        description: 'The receipt.',
        resolve: (remittance) => remittance,
      }),
      payments: t.field({
        type: [Payment],
        description: `The payments of its invoices, in the order in which they were allocated; ${atMostBelow}.`,
        resolve: ({ id }, _args, { em }) =>
          em.find(Payment, { remittance: id }, { orderBy: oldestFirst, limit: mostBelow }),
      }),
    }),
  });

const RecordPaymentPayload = payload('RecordPaymentPayload', 'A recorded payment.');
const ReversePaymentPayload = payload('ReversePaymentPayload', 'A reversed payment.');
const ExpectPaymentPayload = payload('ExpectPaymentPayload', 'An expected payment.');
const CancelExpectedPaymentPayload = payload(
  'CancelExpectedPaymentPayload',
  'An expected payment that was canceled.',
);

mutation('recordPayment', {
  returns: RecordPaymentPayload,
  extensions: { inSteps: true },
  description:
    'Records money that was received without a payment processor, and pays invoices with it: one invoice, a list, or all open invoices of a customer, the oldest first. An amount beyond what is due goes to the credit balance of the customer. A pending charge of an invoice is canceled first. Errors: NOT_FOUND; BAD_REQUEST for an invoice that is not to be paid, for another currency and for a taken reference. BAD_REQUEST also for a time in the future, and for a charge that cannot be canceled.',
  args: {
    invoiceId: nullable.id('The invoice; alternative to `allocations` and `customerId`.'),
    allocations: nullable.of(
      [AllocationInput],
      'The invoices, 1 to 100, with the part of each; all of one customer.',
    ),
    customerId: nullable.id('The customer whose open invoices are paid, the oldest first.'),
    remittanceId: nullable.id(
      'The expected payment that has arrived. Its invoices are given as above; without them it pays the oldest ones.',
    ),
    amount: nullable.safeInt('The amount received, in minor units; the expected one when absent.'),
    currency: nullable.text(
      'The currency, which must be that of the invoices; theirs when absent.',
    ),
    method: nullable.of(ExternalMethod, 'How the money arrived; as expected when absent.'),
    reference: nullable.text(
      'The text by which the bank or the check names it, unique within your organization and mode.',
    ),
    receivedAt: nullable.time('The time of the receipt, not in the future; now when absent.'),
    note: nullable.text('A note of your own.'),
    attachmentURL: nullable.text('The http or https URL of a document.'),
  },
  input: recordPaymentInput,
  command: recordPayment,
});

mutation('reversePayment', {
  returns: ReversePaymentPayload,
  description:
    'Reverses a receipt that was recorded by hand, such as a bounced check. All its payments are canceled, and their invoices are to be paid again. Errors: NOT_FOUND; BAD_REQUEST for a charge, a receipt that was refunded in part, and while an invoice is being charged or adjusted.',
  args: {
    id: id('The id of the receipt or of a payment of it.'),
    reason: text('The reason.'),
  },
  input: reversePaymentInput,
  command: reversePayment,
});

mutation('expectPayment', {
  returns: ExpectPaymentPayload,
  description:
    'Records a payment that a customer has announced. It settles nothing until `recordPayment` receives it. Errors: BAD_REQUEST for an unknown customer and a taken reference.',
  args: {
    customerId: id('The customer that pays.'),
    amount: safeInt('The announced amount, in minor units.'),
    currency: nullable.text(
      'The currency; that in which the customer pays when absent, and your organization’s before its first invoice.',
    ),
    method: nullable.of(ExternalMethod, 'How the money will arrive; `bank_transfer` when absent.'),
    reference: nullable.text('The reference that the payment will have.'),
    expectedAt: nullable.time('The time when it is expected.'),
    note: nullable.text('A note of your own.'),
    attachmentURL: nullable.text('The http or https URL of a document.'),
  },
  input: expectPaymentInput,
  command: expectPayment,
});

mutation('cancelExpectedPayment', {
  returns: CancelExpectedPaymentPayload,
  description:
    'Cancels a payment that is not expected any longer; a canceled one is returned unchanged. Errors: NOT_FOUND; BAD_REQUEST for a payment that was received.',
  args: {
    id: id('The id of the expected payment.'),
    reason: nullable.text('The reason.'),
  },
  input: cancelExpectedPaymentInput,
  command: cancelExpectedPayment,
});
