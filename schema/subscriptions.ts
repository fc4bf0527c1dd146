import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { Customer } from '#domain/customers/customer.ts';
import { nowOf, ownerOf } from '#domain/customers/read-customer.ts';
import { page } from '#domain/page.ts';
import { Price } from '#domain/prices/price.ts';
import type { Session } from '#domain/session.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import {
  addFeatureToSubscription,
  addFeatureToSubscriptionInput,
} from '#domain/subscriptions/add-feature-to-subscription.ts';
import {
  cancellationTimings,
  cancelSubscription,
  cancelSubscriptionInput,
} from '#domain/subscriptions/cancel-subscription.ts';
import {
  createSubscription,
  createSubscriptionInput,
} from '#domain/subscriptions/create-subscription.ts';
import { featureItemsOf } from '#domain/subscriptions/feature-items.ts';
import { Subscription, subscriptionStatuses } from '#domain/subscriptions/subscription.ts';
import {
  uncancelSubscription,
  uncancelSubscriptionInput,
} from '#domain/subscriptions/uncancel-subscription.ts';
import { builder } from './builder.ts';
import { ListOrder } from './connection.ts';
import { IntervalUnit } from './prices.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './records.ts';

const SubscriptionStatus = builder.enumType('SubscriptionStatus', {
  description:
    'Where a subscription stands; canceled and incomplete_expired are final. Current are active, past_due, trialing, cancellation_scheduled and unpaid.',
  values: subscriptionStatuses,
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
      description: 'Its items that have a price: without what was added by hand.',
      resolve: async ({ items }) => (await items.loadItems()).filter(({ priceId }) => priceId),
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

const CancellationTiming = builder.enumType('CancellationTiming', {
  description: 'When a subscription is to end.',
  values: cancellationTimings,
});

const CancelSubscription = builder.inputType('CancelSubscriptionInput', {
  description: 'How to end a subscription.',
  fields: (t) => ({
    timing: t.field({ type: CancellationTiming, required: true, description: 'When.' }),
  }),
});

builder.mutationFields((t) => ({
  createSubscription: t.field({
    type: Subscription,
    description:
      'Subscribes a customer to a price; a free plan gives way to a paid one. Errors: BAD_REQUEST for what cannot be subscribed to; CONFLICT when the customer is subscribed already.',
    args: {
      customerId: t.arg.id({ description: 'Who subscribes; or customerExternalId.' }),
      customerExternalId: t.arg.string({
        description: 'Who subscribes, by the id of your own; or customerId.',
      }),
      priceId: t.arg.id({ description: 'To what; or priceSlug. An active subscription price.' }),
      priceSlug: t.arg.string({ description: 'To what, by the slug of the price; or priceId.' }),
      quantity: t.arg({ type: 'SafeInt', description: 'How many; 1 when absent.' }),
      startDate: t.arg({ type: 'Timestamp', description: 'When it begins; now when absent.' }),
      interval: t.arg({ type: IntervalUnit, description: 'That of the price when absent.' }),
      intervalCount: t.arg.int({ description: 'That of the price when absent.' }),
      trialEnd: t.arg({
        type: 'Timestamp',
        description:
          'When the trial ends; that of the price when absent. A customer has one trial ever.',
      }),
      metadata: t.arg({
        type: 'JSON',
        description: 'Names with a text of up to 500 characters, a number or a boolean.',
      }),
      name: t.arg.string({ description: 'Those of product and price when absent.' }),
      defaultPaymentMethodId: t.arg.id({
        description: 'What pays; the customer’s default when absent.',
      }),
      backupPaymentMethodId: t.arg.id({ description: 'What pays when the default one cannot.' }),
      doNotCharge: t.arg.boolean({ description: 'Whether to give it away; no when absent.' }),
    },
    validate: { schema: createSubscriptionInput },
    resolve: (_root, args, session) => createSubscription(session, args as never),
  }),
  cancelSubscription: t.field({
    type: Subscription,
    description:
      'Ends a subscription, now or with its billing period; one that has ended is answered as it is. Errors: NOT_FOUND, also without a current period; BAD_REQUEST for a free plan and while an adjustment is scheduled.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      cancellation: t.arg({ type: CancelSubscription, required: true, description: 'How.' }),
    },
    validate: { schema: cancelSubscriptionInput },
    resolve: (_root, args, session) => cancelSubscription(session, args),
  }),
  uncancelSubscription: t.field({
    type: Subscription,
    description:
      'Takes a scheduled cancellation back; without one the subscription is answered as it is. Errors: NOT_FOUND; BAD_REQUEST for a paid one that nothing pays for.',
    args: { id: t.arg.id({ required: true, description: 'The id of the subscription.' }) },
    validate: { schema: uncancelSubscriptionInput },
    resolve: (_root, args, session) => uncancelSubscription(session, args),
  }),
  addFeatureToSubscription: t.field({
    type: SubscriptionItemFeature,
    description:
      'Gives a subscription a feature that its product does not bring. Errors: NOT_FOUND; BAD_REQUEST for a feature that cannot be granted; CONFLICT for a subscription that has ended, and for capacity that was added before.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      featureId: t.arg.id({ description: 'The feature; or featureSlug.' }),
      featureSlug: t.arg.string({ description: 'The feature, by its slug; or featureId.' }),
      grantCreditsImmediately: t.arg.boolean({
        description: 'Whether usage credits are given right away, once a period, until its end.',
      }),
    },
    validate: { schema: addFeatureToSubscriptionInput },
    resolve: (_root, args, session) => addFeatureToSubscription(session, args),
  }),
}));
