import { Customer } from '#domain/customers/customer.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import { PricingModel } from '#domain/pricing-models/pricing-model.ts';
import {
  currentSubscriptionsOf,
  entitlementsOf,
  hasFeature,
} from '#domain/rules/entitlement/entitlements.ts';
import { invoicesOf } from '#domain/rules/invoicing/amount-paid.ts';
import { paymentMethodsOf } from '#domain/rules/invoicing/payment-method-for.ts';
import { customerByExternalId } from '#domain/rules/locks/read-customer.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { TestClock } from '#domain/test-clocks/test-clock.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';
import { TaxSettings } from './tax-settings.ts';

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
