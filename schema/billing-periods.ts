import { BillingPeriod, billingPeriodStatuses } from '#domain/billing-periods/billing-period.ts';
import { BillingPeriodItem } from '#domain/billing-periods/billing-period-item.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

const BillingPeriodStatus = builder.enumType('BillingPeriodStatus', {
  description: 'Where a billing period stands; completed and canceled are final.',
  values: billingPeriodStatuses,
});

builder.objectType(BillingPeriodItem, {
  name: 'BillingPeriodItem',
  description: 'What is charged for in one billing period, as it was agreed when the period began.',
  fields: (t) => ({
    id: t.exposeID('id', { description: '`billing_period_item_…`' }),
    name: t.exposeString('name', { description: 'The name for people.' }),
    description: t.exposeString('description', { description: 'More about it; may be empty.' }),
    unitPrice: t.expose('unitPrice', { type: 'SafeInt', description: 'Minor units for one.' }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: 'How many.' }),
    priceId: t.exposeID('priceId', { nullable: true, description: 'The price it follows.' }),
    subscriptionItemId: t.exposeID('subscriptionItemId', {
      nullable: true,
      description: 'The subscription item that it stands for.',
    }),
  }),
});

builder.node(BillingPeriod, {
  name: 'BillingPeriod',
  description:
    'A stretch of time for which a subscription is charged; they follow each other without a gap.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`billing_period_…`' },
  loadOne: (id, { em }) => em.findOne(BillingPeriod, id),
  fields: (t) => ({
    subscriptionId: t.exposeID('subscriptionId', { description: 'What is charged for.' }),
    startDate: t.expose('startDate', {
      type: 'Timestamp',
      description: 'The first instant of the period.',
    }),
    endDate: t.expose('endDate', {
      type: 'Timestamp',
      description: 'The instant after the period, at which the next one starts.',
    }),
    status: t.expose('status', { type: BillingPeriodStatus, description: 'Where it stands.' }),
    trialPeriod: t.exposeBoolean('trialPeriod', { description: 'Whether it is a free trial.' }),
    subscription: t.field({
      type: Subscription,
      description: 'What is charged for.',
      resolve: ({ subscription }) => subscription.loadOrFail(),
    }),
    items: t.field({
      type: [BillingPeriodItem],
      description: 'What is charged for in it; nothing in a trial.',
      resolve: ({ items }) => items.loadItems(),
    }),
  }),
});

const BillingPeriodFilter = builder.inputType('BillingPeriodFilter', {
  description: 'Which billing periods to list.',
  fields: (t) => ({
    subscription: t.id({ description: 'Of the subscription with this id.' }),
    status: t.field({ type: BillingPeriodStatus, description: 'Standing there.' }),
    trialPeriod: t.boolean({ description: 'Free trials (true) or not.' }),
  }),
});

readable({
  one: 'billingPeriod',
  many: 'billingPeriods',
  noun: 'billing period',
  entity: BillingPeriod,
  filter: BillingPeriodFilter,
});
