import { paymentTypes } from '#domain/model/money/payment.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { failureKinds } from '#domain/model/platform/failure-kinds.ts';
import {
  type BillingDetails as Details,
  PaymentMethod,
} from '#domain/model/platform/payment-method.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, json, nullable, of, text } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { withId } from '../engine/reference.ts';
import { object, record } from '../engine/types.ts';
import { byEntries, byEnum, byFlag, byId, byPresence } from '../engine/where.ts';
import { addressLines, PostalAddress } from '../shared/postal-addresses.ts';

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

const BillingAddress = object<Details['address']>('BillingAddress')({
  description: 'The billing address, with a mailing address within it.',
  fields: (t) => ({
    ...addressLines,
    address: t.field({
      type: PostalAddress,
      nullable: true,
      description: 'The mailing address; equals the billing address unless another one was given.',
      resolve: (address) => address.address ?? address,
    }),
  }),
});

const BillingDetails = object<Details>('BillingDetails')({
  description: 'The billing details of a payment method.',
  fields: () => ({
    name: nullable.text('The name.'),
    email: nullable.text('The email address.'),
    address: of(BillingAddress, 'The postal address.'),
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

record(PaymentMethod, {
  description: 'A payment method of a customer; the payment processor keeps the secret part.',
  fields: () => ({
    ...withId('customer', Customer, 'The customer that pays with it.'),
    type: of(PaymentMethodType, 'The type of payment method.'),
    default: flag('Whether it is the customer’s default.'),
    billingDetails: of(BillingDetails, 'The billing details.'),
    paymentMethodData: json(
      'The details that the payment processor discloses, such as the last digits of a card.',
    ),
    metadata: nullable.json(
      'Key-value pairs; values are text, numbers, booleans, lists or objects.',
    ),
    processor: text('The payment processor that knows it, such as `sandbox`.'),
    refusalKind: nullable.of(
      PaymentFailureKind,
      'The kind of the refusal since which it is not charged automatically; null while it is.',
    ),
    refusedAt: nullable.time('The time of that refusal.'),
    detachedAt: nullable.time('The time of detachment; null while the payment method is usable.'),
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
