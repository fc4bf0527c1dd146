import {
  type BillingDetails as Details,
  PaymentMethod,
  type PostalAddress as Postal,
  paymentMethodTypes,
} from '#domain/payment-methods/payment-method.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

export const PaymentMethodType = builder.enumType('PaymentMethodType', {
  description: 'How something is paid.',
  values: paymentMethodTypes,
});

export const lines = {
  name: 'The name at the address.',
  line1: 'The street and number.',
  line2: 'The floor, the flat and the like.',
  city: 'The city.',
  state: 'The state, province or region.',
  postal_code: 'The postal code.',
  country: 'The country: two capital letters, ISO 3166-1.',
} as const;

const PostalAddress = builder.objectRef<Postal>('PostalAddress').implement({
  description: 'An address.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: lines.name }),
    line1: t.exposeString('line1', { nullable: true, description: lines.line1 }),
    line2: t.exposeString('line2', { nullable: true, description: lines.line2 }),
    city: t.exposeString('city', { nullable: true, description: lines.city }),
    state: t.exposeString('state', { nullable: true, description: lines.state }),
    postal_code: t.exposeString('postal_code', { nullable: true, description: lines.postal_code }),
    country: t.exposeString('country', { nullable: true, description: lines.country }),
  }),
});

const BillingAddress = builder.objectRef<Details['address']>('BillingAddress').implement({
  description: 'The address of whoever pays, and within it the one to write to.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: lines.name }),
    line1: t.exposeString('line1', { nullable: true, description: lines.line1 }),
    line2: t.exposeString('line2', { nullable: true, description: lines.line2 }),
    city: t.exposeString('city', { nullable: true, description: lines.city }),
    state: t.exposeString('state', { nullable: true, description: lines.state }),
    postal_code: t.exposeString('postal_code', { nullable: true, description: lines.postal_code }),
    country: t.exposeString('country', { nullable: true, description: lines.country }),
    address: t.field({
      type: PostalAddress,
      nullable: true,
      description: 'The address to write to: this address itself where no other one was given.',
      resolve: (address) => address.address ?? address,
    }),
  }),
});

const BillingDetails = builder.objectRef<Details>('BillingDetails').implement({
  description: 'Who pays.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: 'The name.' }),
    email: t.exposeString('email', { nullable: true, description: 'Where to write to.' }),
    address: t.field({
      type: BillingAddress,
      description: 'The address.',
      resolve: ({ address }) => address,
    }),
  }),
});

builder.node(PaymentMethod, {
  name: 'PaymentMethod',
  description: 'What a customer pays with; the processor holds the secret part.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`pm_…`' },
  loadOne: (id, { em }) => em.findOne(PaymentMethod, id),
  fields: (t) => ({
    customerId: t.exposeID('customerId', { description: 'Who pays with it.' }),
    type: t.expose('type', { type: PaymentMethodType, description: 'What it is.' }),
    default: t.exposeBoolean('default', {
      description: 'Whether it pays what names no other one.',
    }),
    billingDetails: t.expose('billingDetails', {
      type: BillingDetails,
      description: 'Whose it is.',
    }),
    paymentMethodData: t.expose('paymentMethodData', {
      type: 'JSON',
      description: 'What the processor shows of it, such as the last digits of a card.',
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      nullable: true,
      description: 'Names with a text, a number or a boolean.',
    }),
    detachedAt: t.expose('detachedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'Since when it cannot be used any longer.',
    }),
  }),
});

const PaymentMethodFilter = builder.inputType('PaymentMethodFilter', {
  description: 'Which payment methods to list.',
  fields: (t) => ({
    customer: t.id({ description: 'Of the customer with this id.' }),
    default: t.boolean({ description: 'The default ones (true) or the others.' }),
    type: t.field({ type: PaymentMethodType, description: 'Of this type.' }),
  }),
});

readable({
  one: 'paymentMethod',
  many: 'paymentMethods',
  noun: 'payment method',
  entity: PaymentMethod,
  filter: PaymentMethodFilter,
});
