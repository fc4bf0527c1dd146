import { Payment } from '#domain/model/money/payment.ts';
import { externalMethods, Remittance, remittanceStatuses } from '#domain/model/money/remittance.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { nullable, of, safeInt, text } from '../engine/fields.ts';
import { withId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
import { EventActor } from '../shared/actors.ts';

export const ExternalMethod = builder.enumType('ExternalMethod', {
  description: 'The way in which money arrives without a payment processor.',
  values: described(externalMethods, {
    bank_transfer: 'A bank transfer.',
    check: 'A check.',
    cash: 'Cash.',
    card_elsewhere: 'A card terminal or another service.',
    other: 'Any other way.',
  }),
});

export const RemittanceStatus = builder.enumType('RemittanceStatus', {
  description: 'The status of a receipt.',
  values: described(remittanceStatuses, {
    expected: 'The customer has announced the payment. It settles nothing.',
    received: 'The money is there and has paid its invoices.',
    canceled: 'The announced payment is not expected any longer.',
    reversed: 'The receipt was reversed, and its invoices are to be paid again.',
  }),
});

record(Remittance, {
  description:
    'Money that a customer sends without a payment processor, expected or received. A received one pays one or more invoices.',
  fields: (t) => ({
    ...withId('customer', Customer, 'The customer that pays.'),
    status: of(RemittanceStatus, 'The status.'),
    method: of(ExternalMethod, 'How the money arrives.'),
    amount: safeInt('The amount, in minor units.'),
    currency: text('The currency, an ISO 4217 code in upper case.'),
    reference: nullable.text(
      'The text by which the bank or the check names it. No other one of your organization that is expected or received has it.',
    ),
    note: nullable.text('A note of your own.'),
    attachmentURL: nullable.text('The address of a document, such as a bank statement.'),
    expectedAt: nullable.time('The time when an announced payment is expected.'),
    receivedAt: nullable.time('The time when the money was received.'),
    recordedBy: nullable.of(EventActor, 'The actor that recorded the receipt.'),
    reversedAt: nullable.time('The time when it was reversed.'),
    reason: nullable.text('The reason of a reversal or a cancellation.'),
    payments: listBelow(t, Payment, {
      by: 'remittance',
      description: 'The payments of invoices that it made.',
    }),
  }),
});
