import {
  createPaymentMethod,
  createPaymentMethodInput,
} from '#domain/payment-methods/create-payment-method.ts';
import {
  setDefaultPaymentMethod,
  setDefaultPaymentMethodInput,
} from '#domain/payment-methods/default-payment-method.ts';
import {
  detachPaymentMethod,
  detachPaymentMethodInput,
} from '#domain/payment-methods/detach-payment-method.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import {
  updatePaymentMethod,
  updatePaymentMethodInput,
} from '#domain/payment-methods/update-payment-method.ts';
import { builder } from './engine/builder.ts';
import { expectedVersion } from './engine/expected-version.ts';
import { fieldMarks } from './engine/extensions.ts';
import { PaymentMethodType } from './payment-methods.ts';
import { lineInputsOf, PostalAddressInput } from './postal-addresses.ts';

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

const UpdatePaymentMethodPayload = builder
  .objectRef<{ paymentMethod: PaymentMethod }>('UpdatePaymentMethodPayload')
  .implement({
    description: 'A changed payment method.',
    fields: (t) => ({
      paymentMethod: t.expose('paymentMethod', {
        type: PaymentMethod,
        description: 'The payment method.',
      }),
    }),
  });

builder.mutationFields((t) => ({
  createPaymentMethod: t.field({
    type: PaymentMethod,
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
    validate: { schema: createPaymentMethodInput },
    resolve: (_root, args, session) => createPaymentMethod(session, args as never),
  }),
  updatePaymentMethod: t.field({
    type: UpdatePaymentMethodPayload,
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
    validate: { schema: updatePaymentMethodInput },
    resolve: async (_root, args, session) => ({
      paymentMethod: await updatePaymentMethod(session, args as never),
    }),
  }),
  setDefaultPaymentMethod: t.field({
    type: PaymentMethod,
    extensions: fieldMarks({ inSteps: true }),
    description:
      'Makes a payment method the customer’s default. Errors: NOT_FOUND; BAD_REQUEST when it is detached.',
    args: { id: t.arg.id({ required: true, description: 'The id of the payment method.' }) },
    validate: { schema: setDefaultPaymentMethodInput },
    resolve: (_root, args, session) => setDefaultPaymentMethod(session, args),
  }),
  detachPaymentMethod: t.field({
    type: PaymentMethod,
    description:
      'Detaches a payment method permanently. A detached payment method is returned unchanged. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of the payment method.' }) },
    validate: { schema: detachPaymentMethodInput },
    resolve: (_root, args, session) => detachPaymentMethod(session, args),
  }),
}));
