import { Payment } from '#domain/model/money/payment.ts';
import { externalMethods, Remittance, remittanceStatuses } from '#domain/model/money/remittance.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord } from '../engine/readable.ts';
import { reference } from '../engine/reference.ts';
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

builder.node(Remittance, {
  name: 'Remittance',
  description:
    'Money that a customer sends without a payment processor, expected or received. A received one pays one or more invoices.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('remittance'),
  loadOne: loadOne(Remittance),
  fields: (t) => ({
    customerId: t.exposeID('customerId', { description: 'The customer that pays.' }),
    customer: t.field(reference(Customer, 'customerId', 'The customer that pays.')),
    status: t.expose('status', { type: RemittanceStatus, description: 'The status.' }),
    method: t.expose('method', { type: ExternalMethod, description: 'How the money arrives.' }),
    amount: t.expose('amount', { type: 'SafeInt', description: 'The amount, in minor units.' }),
    currency: t.exposeString('currency', {
      description: 'The currency, an ISO 4217 code in upper case.',
    }),
    reference: t.exposeString('reference', {
      nullable: true,
      description:
        'The text by which the bank or the check names it. No other one of your organization that is expected or received has it.',
    }),
    note: t.exposeString('note', { nullable: true, description: 'A note of your own.' }),
    attachmentURL: t.exposeString('attachmentURL', {
      nullable: true,
      description: 'The address of a document, such as a bank statement.',
    }),
    expectedAt: t.expose('expectedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when an announced payment is expected.',
    }),
    receivedAt: t.expose('receivedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when the money was received.',
    }),
    recordedBy: t.expose('recordedBy', {
      type: EventActor,
      nullable: true,
      description: 'The actor that recorded the receipt.',
    }),
    reversedAt: t.expose('reversedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when it was reversed.',
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'The reason of a reversal or a cancellation.',
    }),
    payments: listBelow(t, Payment, {
      by: 'remittance',
      description: 'The payments of invoices that it made.',
    }),
  }),
});
