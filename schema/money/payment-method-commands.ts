import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import {
  createPaymentMethod,
  createPaymentMethodInput,
} from '#domain/money/commands/payment-methods/create-payment-method.ts';
import {
  setDefaultPaymentMethod,
  setDefaultPaymentMethodInput,
} from '#domain/money/commands/payment-methods/default-payment-method.ts';
import {
  detachPaymentMethod,
  detachPaymentMethodInput,
} from '#domain/money/commands/payment-methods/detach-payment-method.ts';
import {
  updatePaymentMethod,
  updatePaymentMethodInput,
} from '#domain/money/commands/payment-methods/update-payment-method.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { id, nullable, of, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';
import { addressLines, PostalAddressInput } from '../shared/postal-addresses.ts';
import { PaymentMethodType } from './payment-methods.ts';

const BillingAddressInput = input('BillingAddressInput', {
  description: 'The billing address, with a mailing address within it.',
  fields: {
    ...addressLines,
    address: nullable.of(PostalAddressInput, 'The mailing address.'),
  },
});

const BillingDetailsInput = input('BillingDetailsInput', {
  description: 'The billing details; a new payment method takes absent fields from the customer.',
  fields: {
    name: nullable.text('The name.'),
    email: nullable.text('The email address.'),
    address: nullable.of(BillingAddressInput, 'The postal address.'),
  },
});

const CreatePaymentMethod = input('CreatePaymentMethodInput', {
  description: 'A new payment method.',
  fields: {
    customerId: id('The id of the customer that pays with it.'),
    type: of(PaymentMethodType, 'The type of payment method.'),
    token: text(
      'A token of the sandbox, such as `sandbox_success`. A payment method of a connected processor is entered on its page: `createPaymentMethodSetup`.',
    ),
    default: nullable.flag(
      'Whether it becomes the customer’s default; a customer’s first payment method always does.',
    ),
    billingDetails: nullable.of(BillingDetailsInput, 'The billing details.'),
    metadata: nullable.json(
      'Key-value pairs; values are text of up to 500 characters, numbers, booleans, lists or objects.',
    ),
  },
});

const UpdatePaymentMethod = input('UpdatePaymentMethodInput', {
  description: 'Changes to a payment method. Absent fields do not change.',
  fields: {
    default: nullable.flag(
      'True makes it the customer’s default; false is refused for the default.',
    ),
    billingDetails: nullable.of(
      BillingDetailsInput,
      'The billing details. An address is replaced as a whole.',
    ),
    metadata: nullable.json('Replaces all key-value pairs; null removes them.'),
  },
});

mutation('createPaymentMethod', {
  returns: [PaymentMethod, 'The new payment method.'],
  extensions: { inSteps: true },
  description:
    'Adds a payment method to a customer. Errors: BAD_REQUEST for an unknown customer or token.',
  args: { paymentMethod: of(CreatePaymentMethod, 'The payment method.') },
  input: createPaymentMethodInput,
  command: createPaymentMethod,
});

mutation('updatePaymentMethod', {
  returns: [PaymentMethod, 'The changed payment method.'],
  description:
    'Changes a payment method. Owed amounts of a new default are charged by the next billing round; `setDefaultPaymentMethod` charges them immediately. Errors: NOT_FOUND; BAD_REQUEST when it is detached.',
  args: {
    id: id('The id of the payment method.'),
    paymentMethod: of(UpdatePaymentMethod, 'The changes.'),
    expectedVersion,
  },
  input: updatePaymentMethodInput,
  command: updatePaymentMethod,
});

mutation('setDefaultPaymentMethod', {
  returns: [PaymentMethod, 'The new default.'],
  extensions: { inSteps: true },
  description:
    'Makes a payment method the customer’s default. Errors: NOT_FOUND; BAD_REQUEST when it is detached.',
  args: { id: id('The id of the payment method.') },
  input: setDefaultPaymentMethodInput,
  command: setDefaultPaymentMethod,
});

mutation('detachPaymentMethod', {
  returns: [PaymentMethod, 'The detached payment method.'],
  description:
    'Detaches a payment method permanently. A detached payment method is returned unchanged. Errors: NOT_FOUND.',
  args: { id: id('The id of the payment method.') },
  input: detachPaymentMethodInput,
  command: detachPaymentMethod,
});
