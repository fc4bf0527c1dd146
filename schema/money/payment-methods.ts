import { paymentTypes } from '#domain/model/money/payment.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { failureKinds } from '#domain/model/platform/failure-kinds.ts';
import {
  type BillingDetails as Details,
  PaymentMethod,
} from '#domain/model/platform/payment-method.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { reference } from '../engine/reference.ts';
import { byEntries, byEnum, byFlag, byId, byPresence } from '../engine/where.ts';
import { linesOf, PostalAddress } from '../shared/postal-addresses.ts';

export const PaymentMethodType = builder.enumType('PaymentMethodType', {
  description: 'The type of a payment method.',
  values: described(paymentTypes, {
    card: 'A credit or debit card.',
    link: 'A Link account.',
    us_bank_account: 'A bank account in the United States.',
    sepa_debit: 'A SEPA direct debit mandate.',
    bank_transfer: 'A bank transfer; only of a payment that was recorded by hand.',
    check: 'A check; only of a payment that was recorded by hand.',
    cash: 'Cash; only of a payment that was recorded by hand.',
    card_elsewhere:
      'A card terminal or another service; only of a payment that was recorded by hand.',
    other: 'Any other way; only of a payment that was recorded by hand.',
  }),
});

const BillingAddress = builder.objectRef<Details['address']>('BillingAddress').implement({
  description: 'The billing address, with a mailing address within it.',
  fields: (t) => ({
    ...linesOf(t),
    address: t.field({
      type: PostalAddress,
      nullable: true,
      description: 'The mailing address; equals the billing address unless another one was given.',
      resolve: (address) => address.address ?? address,
    }),
  }),
});

const BillingDetails = builder.objectRef<Details>('BillingDetails').implement({
  description: 'The billing details of a payment method.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: 'The name.' }),
    email: t.exposeString('email', { nullable: true, description: 'The email address.' }),
    address: t.field({
      type: BillingAddress,
      description: 'The postal address.',
      resolve: ({ address }) => address,
    }),
  }),
});

export const PaymentFailureKind = builder.enumType('PaymentFailureKind', {
  description: 'The kind of a failure, which decides whether the service charges again.',
  values: described(failureKinds, {
    soft: 'The same payment method may succeed later; dunning charges it again.',
    hard: 'The payment method will not succeed; dunning waits for another one.',
    card_data:
      'The data of the payment method are wrong or outdated; dunning waits until they change.',
    authentication: 'The customer must confirm the payment.',
    configuration:
      'The request was refused; the operator must act, and the customer is not dunned.',
  }),
});

builder.node(PaymentMethod, {
  name: 'PaymentMethod',
  description: 'A payment method of a customer; the payment processor keeps the secret part.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('pm'),
  loadOne: loadOne(PaymentMethod),
  fields: (t) => ({
    customerId: t.exposeID('customerId', { description: 'The customer that pays with it.' }),
    customer: t.field(reference(Customer, 'customerId', 'The customer that pays with it.')),
    type: t.expose('type', { type: PaymentMethodType, description: 'The type of payment method.' }),
    default: t.exposeBoolean('default', {
      description: 'Whether it is the customer’s default.',
    }),
    billingDetails: t.expose('billingDetails', {
      type: BillingDetails,
      description: 'The billing details.',
    }),
    paymentMethodData: t.expose('paymentMethodData', {
      type: 'JSON',
      description:
        'The details that the payment processor discloses, such as the last digits of a card.',
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      nullable: true,
      description: 'Key-value pairs; values are text, numbers, booleans, lists or objects.',
    }),
    processor: t.exposeString('processor', {
      description: 'The payment processor that knows it, such as `sandbox`.',
    }),
    refusalKind: t.expose('refusalKind', {
      type: PaymentFailureKind,
      nullable: true,
      description:
        'The kind of the refusal since which it is not charged automatically; null while it is.',
    }),
    refusedAt: t.expose('refusedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time of that refusal.',
    }),
    detachedAt: t.expose('detachedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time of detachment; null while the payment method is usable.',
    }),
  }),
});

readable({
  one: 'paymentMethod',
  many: 'paymentMethods',
  noun: 'payment method',
  entity: PaymentMethod,
  where: {
    customer: byId('customer', 'The customer.'),
    type: byEnum(PaymentMethodType, 'type', 'The type.'),
    default: byFlag('default', 'The default (true) or others (false).'),
    detached: byPresence('detachedAt', 'Detached (true) or usable (false).'),
    metadata: byEntries('metadata', 'Entries of the metadata, all of which must match.'),
  },
});
