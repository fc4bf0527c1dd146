import { archiveCustomer, archiveCustomerInput } from '#domain/customers/archive-customer.ts';
import {
  type CreatedCustomer,
  createCustomer,
  createCustomerInput,
} from '#domain/customers/create-customer.ts';
import { Customer } from '#domain/customers/customer.ts';
import { updateCustomer, updateCustomerInput } from '#domain/customers/update-customer.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import { PricingModel } from '#domain/pricing-models/pricing-model.ts';
import {
  currentSubscriptionsOf,
  entitlementsOf,
  hasFeature,
} from '#domain/rules/entitlement/entitlements.ts';
import { invoicesOf } from '#domain/rules/invoicing/paid-of.ts';
import { paymentMethodsOf } from '#domain/rules/invoicing/payment-method-for.ts';
import { customerByExternalId } from '#domain/rules/locks/read-customer.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { TestClock } from '#domain/test-clocks/test-clock.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/records.ts';
import { TaxType } from './invoices.ts';
import { TaxSettings, taxInputs } from './tax-settings.ts';

builder.node(Customer, {
  name: 'Customer',
  description: 'Whoever subscribes and pays.',
  interfaces: [OrganizationRecord, PricingModelRecord, TaxSettings],
  id: { resolve: ({ id }) => id, description: '`cust_…`' },
  loadOne: (id, { em }) => em.findOne(Customer, id),
  fields: (t) => ({
    email: t.exposeString('email', { description: 'Where to write to.' }),
    name: t.exposeString('name', { description: 'The name for people.' }),
    invoiceNumberBase: t.exposeString('invoiceNumberBase', {
      description: 'What the numbers of the customer’s invoices begin with.',
    }),
    archived: t.exposeBoolean('archived', { description: 'Whether it is hidden, for good.' }),
    logoURL: t.exposeString('logoURL', { nullable: true, description: 'A picture.' }),
    iconURL: t.exposeString('iconURL', { nullable: true, description: 'A small picture.' }),
    domain: t.exposeString('domain', { nullable: true, description: 'The domain name.' }),
    externalId: t.exposeString('externalId', {
      description: 'The id of your own, unique among those who are not archived.',
    }),
    userId: t.exposeString('userId', {
      nullable: true,
      description: 'The user of your own who stands behind the customer.',
    }),
    creditBalance: t.expose('creditBalance', {
      type: 'SafeInt',
      description: 'What it has to its credit, in minor units; invoices use it up first.',
    }),
    testClockId: t.exposeID('testClockId', {
      nullable: true,
      description: 'The test clock that the customer lives by.',
    }),
    testClock: t.field({
      type: TestClock,
      nullable: true,
      description: 'The test clock that the customer lives by.',
      resolve: async ({ testClock }) => (await testClock?.loadOrFail()) ?? null,
    }),
    subscriptions: t.field({
      type: [Subscription],
      description: 'All that the customer has ever subscribed to, oldest first.',
      resolve: ({ subscriptions }) => subscriptions.loadItems(),
    }),
    currentSubscriptions: t.field({
      type: [Subscription],
      description: 'By what the customer has something now, the newest first.',
      resolve: (customer, _args, session) => currentSubscriptionsOf(session, customer),
    }),
    currentSubscription: t.field({
      type: Subscription,
      nullable: true,
      description: 'The newest of the current subscriptions.',
      resolve: async (customer, _args, session) =>
        (await currentSubscriptionsOf(session, customer))[0] ?? null,
    }),
    paymentMethods: t.field({
      type: [PaymentMethod],
      description: 'What the customer can pay with, oldest first.',
      resolve: (customer, _args, session) => paymentMethodsOf(session, customer),
    }),
    invoices: t.field({
      type: [Invoice],
      description:
        'What the customer is or was asked to pay; without drafts and what was taken back.',
      resolve: (customer, _args, session) => invoicesOf(session, customer),
    }),
    hasFeature: t.boolean({
      description: 'Whether a toggle feature with this slug is granted now.',
      args: { slug: t.arg.string({ required: true, description: 'The slug of the feature.' }) },
      resolve: (customer, { slug }, session) => hasFeature(session, customer, slug),
    }),
    featureItems: t.field({
      type: [SubscriptionItemFeature],
      description: 'Everything that is granted now, by the customer’s clock.',
      resolve: (customer, _args, session) => entitlementsOf(session, customer),
    }),
    pricingModel: t.field({
      type: PricingModel,
      description: 'What the customer can subscribe to.',
      resolve: ({ pricingModelId }, _args, { em }) =>
        em.findOneOrFail(PricingModel, pricingModelId),
    }),
  }),
});

const CustomerFilter = builder.inputType('CustomerFilter', {
  description: 'Which customers to list.',
  fields: (t) => ({
    archived: t.boolean({ description: 'Archived (true) or not; not when absent.' }),
    externalId: t.string({ description: 'With this id of your own.' }),
    email: t.string({ description: 'With this address.' }),
    testClock: t.id({ description: 'By the test clock with this id.' }),
  }),
});

readable({
  one: 'customer',
  many: 'customers',
  noun: 'customer',
  entity: Customer,
  filter: CustomerFilter,
  usualFilter: { archived: false },
});

builder.queryField('customerByExternalId', (t) =>
  t.field({
    type: Customer,
    description: 'The customer with this id of your own, unless archived. Errors: NOT_FOUND.',
    args: { externalId: t.arg.string({ required: true, description: 'The id of your own.' }) },
    resolve: (_root, { externalId }, session) => customerByExternalId(session, externalId),
  }),
);

const CreateCustomer = builder.inputType('CreateCustomerInput', {
  description: 'A new customer.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Where to write to.' }),
    name: t.string({ required: true, description: 'The name for people.' }),
    externalId: t.string({ required: true, description: 'The id of your own.' }),
    logoURL: t.string({ description: 'A picture: an http or https address.' }),
    iconURL: t.string({ description: 'A small picture: an http or https address.' }),
    domain: t.string({ description: 'The domain name.' }),
    userId: t.string({ description: 'The user of your own who stands behind the customer.' }),
    ...taxInputs(t),
    testClockId: t.id({
      description: 'The test clock to live by, for good; the real time when absent.',
    }),
    archived: t.boolean({ description: 'Must not be true: a new customer is not archived.' }),
  }),
});

const UpdateCustomer = builder.inputType('UpdateCustomerInput', {
  description: 'Changes to a customer; what is absent stays, and "" empties a text.',
  fields: (t) => ({
    email: t.string({ description: 'Where to write to.' }),
    name: t.string({ description: 'The name for people.' }),
    logoURL: t.string({ description: 'A picture: an http or https address.' }),
    iconURL: t.string({ description: 'A small picture: an http or https address.' }),
    domain: t.string({ description: 'The domain name.' }),
    userId: t.string({ description: 'The user of your own who stands behind the customer.' }),
    ...taxInputs(t),
    id: t.id({ description: 'The id again; cannot change.' }),
    externalId: t.string({ description: 'The id of your own again; cannot change.' }),
    testClockId: t.id({ description: 'The test clock again; cannot change.' }),
    archived: t.boolean({ description: 'Must not be true: archiveCustomer archives.' }),
    taxType: t.field({
      type: TaxType,
      description:
        'Which tax, with its rate; none switches it off; null removes the rule of the customer, so that the organization’s holds.',
      // Over REST, too, null is something else than absent.
      extensions: { keepsNull: true },
    }),
  }),
});

const CreateCustomerPayload = builder
  .objectRef<CreatedCustomer>('CreateCustomerPayload')
  .implement({
    description: 'A new customer and its free plan.',
    fields: (t) => ({
      customer: t.expose('customer', { type: Customer, description: 'The customer.' }),
      subscription: t.expose('subscription', {
        type: Subscription,
        nullable: true,
        description: 'The free plan; null when there is none to have.',
      }),
      subscriptionItems: t.field({
        type: [SubscriptionItem],
        nullable: true,
        description: 'What the free plan consists of.',
        resolve: ({ subscriptionItems }) => subscriptionItems,
      }),
    }),
  });

builder.mutationFields((t) => ({
  createCustomer: t.field({
    type: CreateCustomerPayload,
    description:
      'Adds a customer and subscribes it to the free default product. Errors: BAD_REQUEST for a taken external id or an unknown test clock.',
    args: {
      customer: t.arg({ type: CreateCustomer, required: true, description: 'The customer.' }),
    },
    validate: { schema: createCustomerInput },
    resolve: (_root, args, session) => createCustomer(session, args),
  }),
  updateCustomer: t.field({
    type: Customer,
    description: 'Changes a customer. Errors: NOT_FOUND, also for an archived one; BAD_REQUEST.',
    args: {
      externalId: t.arg.string({ required: true, description: 'The id of your own.' }),
      customer: t.arg({ type: UpdateCustomer, required: true, description: 'The changes.' }),
    },
    validate: { schema: updateCustomerInput },
    resolve: (_root, args, session) => updateCustomer(session, args),
  }),
  archiveCustomer: t.field({
    type: Customer,
    description:
      'Ends all that a customer is subscribed to and hides the customer, for good; the external id is free again. Errors: NOT_FOUND.',
    args: { externalId: t.arg.string({ required: true, description: 'The id of your own.' }) },
    validate: { schema: archiveCustomerInput },
    resolve: (_root, args, session) => archiveCustomer(session, args),
  }),
}));
