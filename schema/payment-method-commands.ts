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
import { builder } from './engine/builder.ts';
import { fieldMarks } from './engine/extensions.ts';
import { lines, PaymentMethodType } from './payment-methods.ts';

const PostalAddressInput = builder.inputType('PostalAddressInput', {
  description: 'An address.',
  fields: (t) => ({
    name: t.string({ description: lines.name }),
    line1: t.string({ description: lines.line1 }),
    line2: t.string({ description: lines.line2 }),
    city: t.string({ description: lines.city }),
    state: t.string({ description: lines.state }),
    postal_code: t.string({ description: lines.postal_code }),
    country: t.string({ description: lines.country }),
  }),
});

const BillingAddressInput = builder.inputType('BillingAddressInput', {
  description: 'The address of whoever pays, and within it the one to write to.',
  fields: (t) => ({
    name: t.string({ description: lines.name }),
    line1: t.string({ description: lines.line1 }),
    line2: t.string({ description: lines.line2 }),
    city: t.string({ description: lines.city }),
    state: t.string({ description: lines.state }),
    postal_code: t.string({ description: lines.postal_code }),
    country: t.string({ description: lines.country }),
    address: t.field({ type: PostalAddressInput, description: 'The address to write to.' }),
  }),
});

const BillingDetailsInput = builder.inputType('BillingDetailsInput', {
  description: 'Who pays; the customer where something is absent.',
  fields: (t) => ({
    name: t.string({ description: 'The name.' }),
    email: t.string({ description: 'Where to write to.' }),
    address: t.field({ type: BillingAddressInput, description: 'The address.' }),
  }),
});

const CreatePaymentMethod = builder.inputType('CreatePaymentMethodInput', {
  description: 'A new payment method.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: 'Who pays with it.' }),
    type: t.field({ type: PaymentMethodType, required: true, description: 'What it is.' }),
    token: t.string({
      required: true,
      description:
        'What the processor has given for it; in test mode sandbox_success and the like.',
    }),
    default: t.boolean({
      description: 'Whether it pays what names no other one; the first one of a customer does.',
    }),
    billingDetails: t.field({ type: BillingDetailsInput, description: 'Whose it is.' }),
    metadata: t.field({
      type: 'JSON',
      description: 'Names with a text of up to 500 characters, a number or a boolean.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createPaymentMethod: t.field({
    type: PaymentMethod,
    extensions: fieldMarks({ inSteps: true }),
    description:
      'Adds what a customer can pay with. Errors: BAD_REQUEST for an unknown customer or token.',
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
  setDefaultPaymentMethod: t.field({
    type: PaymentMethod,
    extensions: fieldMarks({ inSteps: true }),
    description:
      'Lets a payment method pay whatever names no other one. Errors: NOT_FOUND; BAD_REQUEST when it is detached.',
    args: { id: t.arg.id({ required: true, description: 'The id of the payment method.' }) },
    validate: { schema: setDefaultPaymentMethodInput },
    resolve: (_root, args, session) => setDefaultPaymentMethod(session, args),
  }),
  detachPaymentMethod: t.field({
    type: PaymentMethod,
    description:
      'Takes a payment method out of use, for good. One that is detached already is answered as it is. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of the payment method.' }) },
    validate: { schema: detachPaymentMethodInput },
    resolve: (_root, args, session) => detachPaymentMethod(session, args),
  }),
}));
