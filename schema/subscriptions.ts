import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { Customer } from '#domain/customers/customer.ts';
import { page } from '#domain/kernel/page.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/prices/price.ts';
import { featureItemsOf } from '#domain/rules/entitlement/feature-items.ts';
import { nowOf, ownerOf } from '#domain/rules/locks/read-customer.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { nextStepOf, type nextSteps } from '#domain/subscriptions/next-step.ts';
import { Subscription, subscriptionStatuses } from '#domain/subscriptions/subscription.ts';
import { builder } from './engine/builder.ts';
import { ListOrder } from './engine/connection.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';
import { IntervalUnit } from './prices.ts';

const SubscriptionStatus = builder.enumType('SubscriptionStatus', {
  description:
    'Where a subscription stands; canceled and incomplete_expired are final. Current are active, past_due, trialing, cancellation_scheduled and unpaid. An incomplete one waits for its first payment and grants nothing until then.',
  values: subscriptionStatuses,
});

const SubscriptionNextStep = builder.enumType('SubscriptionNextStep', {
  description: 'A step that a subscription waits for.',
  values: {
    add_payment_method: {
      description:
        'There is no payment method: add one to the customer. Before the first payment the subscription is charged at once; after a trial it is charged when that ends.',
    },
    replace_payment_method: {
      description: 'The payment method has failed: add another one and make it the default.',
    },
    confirm_payment: { description: 'The customer has to confirm a payment that is under way.' },
    await_payment: { description: 'A payment is under way: wait for its result.' },
  } satisfies Record<(typeof nextSteps)[number], { description: string }>,
});

async function featureItems(subscription: Subscription, _args: object, session: Session) {
  const now = await nowOf(session, await ownerOf(session, subscription));
  return featureItemsOf({ ...session, now }, [subscription]);
}

/** What the documented billing details show beside a subscription itself. */
export const SubscriptionExperimental = builder
  .objectRef<Subscription>('SubscriptionExperimental')
  .implement({
    description: 'What the documented billing details show beside the subscription itself.',
    fields: (t) => ({
      featureItems: t.field({
        type: [SubscriptionItemFeature],
        description: 'What it grants now, by the customer’s clock.',
        resolve: featureItems,
      }),
    }),
  });

builder.node(Subscription, {
  name: 'Subscription',
  description: 'What a customer has agreed to, until when.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`sub_…`' },
  loadOne: (id, { em }) => em.findOne(Subscription, id),
  fields: (t) => ({
    startDate: t.expose('startDate', { type: 'Timestamp', description: 'When it begins.' }),
    customerId: t.exposeID('customerId', { description: 'Who has subscribed.' }),
    priceId: t.exposeID('priceId', { description: 'The price that it goes by.' }),
    status: t.expose('status', { type: SubscriptionStatus, description: 'Where it stands.' }),
    current: t.exposeBoolean('current', {
      description: 'Whether the customer has what it subscribed to.',
    }),
    nextStep: t.field({
      type: SubscriptionNextStep,
      nullable: true,
      description:
        'The step without which it does not begin, or does not stay, such as add_payment_method; null when none is missing.',
      resolve: (subscription, _args, session) => nextStepOf(session, subscription),
    }),
    defaultPaymentMethodId: t.exposeID('defaultPaymentMethodId', {
      nullable: true,
      description: 'What pays.',
    }),
    backupPaymentMethodId: t.exposeID('backupPaymentMethodId', {
      nullable: true,
      description: 'What pays when the default one cannot.',
    }),
    cancellationReason: t.exposeString('cancellationReason', {
      nullable: true,
      description: 'Why it ended, such as upgraded_to_paid; null when somebody canceled it.',
    }),
    replacedBySubscriptionId: t.exposeID('replacedBySubscriptionId', {
      nullable: true,
      description: 'The paid subscription that took the place of this free plan.',
    }),
    isFreePlan: t.exposeBoolean('isFreePlan', { description: 'Whether it costs nothing.' }),
    doNotCharge: t.exposeBoolean('doNotCharge', {
      description: 'Whether it is given away though its price is not 0.',
    }),
    runBillingAtPeriodStart: t.exposeBoolean('runBillingAtPeriodStart', {
      description: 'Whether a period is paid for when it starts, not when it ends.',
    }),
    renews: t.exposeBoolean('renews', {
      description: 'Whether it has billing periods, one after the other.',
    }),
    interval: t.expose('interval', {
      type: IntervalUnit,
      nullable: true,
      description: 'The unit of a billing period; null unless it renews.',
    }),
    intervalCount: t.exposeInt('intervalCount', {
      nullable: true,
      description: 'How many units a billing period has; null unless it renews.',
    }),
    name: t.exposeString('name', { nullable: true, description: 'The name for people.' }),
    trialEnd: t.expose('trialEnd', {
      type: 'Timestamp',
      nullable: true,
      description: 'When its free trial ends or has ended.',
    }),
    currentBillingPeriodStart: t.expose('currentBillingPeriodStart', {
      type: 'Timestamp',
      nullable: true,
      description: 'When its current or last billing period began.',
    }),
    currentBillingPeriodEnd: t.expose('currentBillingPeriodEnd', {
      type: 'Timestamp',
      nullable: true,
      description: 'When its current or last billing period ends.',
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      nullable: true,
      description: 'Names with a text, a number or a boolean.',
    }),
    canceledAt: t.expose('canceledAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it ended.',
    }),
    cancelScheduledAt: t.expose('cancelScheduledAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it is to end or has ended.',
    }),
    billingCycleAnchorDate: t.expose('billingCycleAnchorDate', {
      type: 'Timestamp',
      nullable: true,
      description: 'What its billing periods are counted from; after a trial that is its end.',
    }),
    scheduledAdjustmentAt: t.expose('scheduledAdjustmentAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When a scheduled adjustment takes effect.',
    }),
    customer: t.field({
      type: Customer,
      description: 'Who has subscribed.',
      resolve: (subscription, _args, session) => ownerOf(session, subscription),
    }),
    price: t.field({
      type: Price,
      description: 'The price that it goes by.',
      resolve: ({ price }) => price.loadOrFail(),
    }),
    items: t.field({
      type: [SubscriptionItem],
      description: 'All its items, also those that have ended, oldest first.',
      resolve: ({ items }) => items.loadItems(),
    }),
    pricedItems: t.field({
      type: [SubscriptionItem],
      description:
        'Its current items that have a price, by the customer’s clock: without what was added by hand.',
      resolve: async (subscription, _args, session) => {
        const now = await nowOf(session, await ownerOf(session, subscription));
        const items = await subscription.items.loadItems();
        return items.filter((item) => item.priceId && item.isActive(now));
      },
    }),
    featureItems: t.field({
      type: [SubscriptionItemFeature],
      description: 'What it grants now, by the customer’s clock.',
      resolve: featureItems,
    }),
    experimental: t.field({
      type: SubscriptionExperimental,
      description: 'What the documented billing details show beside the subscription itself.',
      resolve: (subscription) => subscription,
    }),
    billingPeriods: t.connection(
      {
        type: BillingPeriod,
        description: 'Its billing periods, oldest first.',
        args: { orderBy: t.arg({ type: ListOrder, description: 'created_at_asc when absent.' }) },
        resolve: ({ id }, args, session) =>
          page(session, BillingPeriod, { ...args, filter: { subscription: id } }) as never,
      },
      { name: 'SubscriptionBillingPeriodConnection', description: 'A page of billing periods.' },
      {
        name: 'SubscriptionBillingPeriodEdge',
        description: 'A billing period and its place in the list.',
      },
    ),
  }),
});

const SubscriptionFilter = builder.inputType('SubscriptionFilter', {
  description: 'Which subscriptions to list.',
  fields: (t) => ({
    customer: t.id({ description: 'Of the customer with this id.' }),
    price: t.id({ description: 'Of the price with this id.' }),
    status: t.field({ type: SubscriptionStatus, description: 'Standing there.' }),
    isFreePlan: t.boolean({ description: 'Free plans (true) or paid ones.' }),
  }),
});

readable({
  one: 'subscription',
  many: 'subscriptions',
  noun: 'subscription',
  entity: Subscription,
  filter: SubscriptionFilter,
});
