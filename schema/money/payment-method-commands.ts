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
import { builder } from '../engine/builder.ts';
import { byCommand } from '../engine/by-command.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { fieldMarks } from '../engine/extensions.ts';
import { payload } from '../engine/payload.ts';
import { lineInputsOf, PostalAddressInput } from '../shared/postal-addresses.ts';
import { PaymentMethodType } from './payment-methods.ts';

const BillingAddressInput = builder.inputType('BillingAddressInput', {
  description: 'The billing address, with a mailing address within it.',
  fields: (t) => ({
    ...lineInputsOf(t),
    address: t.field({ type: PostalAddressInput, description: 'The mailing address.' }),
  }),
});

const BillingDetailsInput = builder.inputType('BillingDetailsInput', {
  description: 'The billing details; a new payment method takes absent fields from the customer.',
  fields: (t) => ({
    name: t.string({ description: 'The name.' }),
    email: t.string({ description: 'The email address.' }),
    address: t.field({ type: BillingAddressInput, description: 'The postal address.' }),
  }),
});

const CreatePaymentMethod = builder.inputType('CreatePaymentMethodInput', {
  description: 'A new payment method.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: 'The id of the customer that pays with it.' }),
    type: t.field({
      type: PaymentMethodType,
      required: true,
      description: 'The type of payment method.',
    }),
    token: t.string({
      required: true,
      description:
        'A token of the sandbox, such as `sandbox_success`. A payment method of a connected processor is entered on its page: `createPaymentMethodSetup`.',
    }),
    default: t.boolean({
      description:
        'Whether it becomes the customer’s default; a customer’s first payment method always does.',
    }),
    billingDetails: t.field({ type: BillingDetailsInput, description: 'The billing details.' }),
    metadata: t.field({
      type: 'JSON',
      description:
        'Key-value pairs; values are text of up to 500 characters, numbers, booleans, lists or objects.',
    }),
  }),
});

const UpdatePaymentMethod = builder.inputType('UpdatePaymentMethodInput', {
  description: 'Changes to a payment method. Absent fields do not change.',
  fields: (t) => ({
    default: t.boolean({
      description: 'True makes it the customer’s default; false is refused for the default.',
    }),
    billingDetails: t.field({
      type: BillingDetailsInput,
      description: 'The billing details. An address is replaced as a whole.',
    }),
    metadata: t.field({
      type: 'JSON',
      description: 'Replaces all key-value pairs; null removes them.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createPaymentMethod: t.field({
    type: payload('createPaymentMethod', PaymentMethod, 'The new payment method.'),
    extensions: fieldMarks({ inSteps: true }),
    description:
      'Adds a payment method to a customer. Errors: BAD_REQUEST for an unknown customer or token.',
    args: {
      paymentMethod: t.arg({
        type: CreatePaymentMethod,
        required: true,
        description: 'The payment method.',
      }),
    },
    ...byCommand(createPaymentMethodInput, createPaymentMethod),
  }),
  updatePaymentMethod: t.field({
    type: payload('updatePaymentMethod', PaymentMethod, 'The changed payment method.'),
    description:
      'Changes a payment method. Owed amounts of a new default are charged by the next billing round; `setDefaultPaymentMethod` charges them immediately. Errors: NOT_FOUND; BAD_REQUEST when it is detached.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the payment method.' }),
      paymentMethod: t.arg({
        type: UpdatePaymentMethod,
        required: true,
        description: 'The changes.',
      }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    ...byCommand(updatePaymentMethodInput, updatePaymentMethod),
  }),
  setDefaultPaymentMethod: t.field({
    type: payload('setDefaultPaymentMethod', PaymentMethod, 'The new default.'),
    extensions: fieldMarks({ inSteps: true }),
    description:
      'Makes a payment method the customer’s default. Errors: NOT_FOUND; BAD_REQUEST when it is detached.',
    args: { id: t.arg.id({ required: true, description: 'The id of the payment method.' }) },
    validate: { schema: setDefaultPaymentMethodInput },
    resolve: (_root, args, session) => setDefaultPaymentMethod(session, args),
  }),
  detachPaymentMethod: t.field({
    type: payload('detachPaymentMethod', PaymentMethod, 'The detached payment method.'),
    description:
      'Detaches a payment method permanently. A detached payment method is returned unchanged. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of the payment method.' }) },
    validate: { schema: detachPaymentMethodInput },
    resolve: (_root, args, session) => detachPaymentMethod(session, args),
  }),
}));
