import type { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import {
  adjustmentTimings,
  adjustSubscriptionInput,
  resolvedTimings,
} from '#domain/subscriptions/adjust-input.ts';
import {
  type AdjustedSubscription,
  adjustSubscription,
} from '#domain/subscriptions/adjust-subscription.ts';
import {
  type CanceledAdjustment,
  cancelScheduledAdjustment,
  cancelScheduledAdjustmentInput,
} from '#domain/subscriptions/cancel-scheduled-adjustment.ts';
import {
  type PreviewedAdjustment,
  type PreviewedItem,
  previewAdjustment,
} from '#domain/subscriptions/preview-adjustment.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { builder } from './builder.ts';
import { PaymentMethodType } from './payment-methods.ts';
import { IntervalUnit } from './prices.ts';
import { SubscriptionItemType } from './subscription-items.ts';

/** How long the processor is waited for, as documented; longer than other operations may take. */
export const patienceSeconds = 60;

const AdjustmentTiming = builder.enumType('AdjustmentTiming', {
  description:
    'When an adjustment is to take effect: auto makes an upgrade at once, and anything else when the billing period ends.',
  values: adjustmentTimings,
});

const ResolvedTiming = builder.enumType('ResolvedAdjustmentTiming', {
  description: 'When an adjustment takes effect.',
  values: resolvedTimings,
});

const AdjustmentItem = builder.inputType('AdjustmentItemInput', {
  description:
    'An item as it is to be: the record of one with its id, a new one in full, or just a price and how many. What is absent comes from the item that id names, else from the price.',
  fields: (t) => ({
    id: t.id({ description: 'The current item that it is; absent for a new one.' }),
    subscriptionId: t.id({ description: 'The subscription, if given.' }),
    addedDate: t.field({
      type: 'Timestamp',
      description: 'Has no effect: an item begins with the adjustment.',
    }),
    name: t.string({ description: 'The name for people.' }),
    priceId: t.id({ description: 'The price; or priceSlug.' }),
    priceSlug: t.string({ description: 'The slug of an active price, or its id; or priceId.' }),
    unitPrice: t.field({ type: 'SafeInt', description: 'Minor units for one, 0 or more.' }),
    quantity: t.field({ type: 'SafeInt', description: 'How many, 1 or more; 1 when absent.' }),
    type: t.field({ type: SubscriptionItemType, description: 'The kind of item.' }),
    externalId: t.string({ description: 'Your own id of it.' }),
    metadata: t.field({ type: 'JSON', description: 'Names with a text, a number or a boolean.' }),
    expiredAt: t.field({ type: 'Timestamp', description: 'When it ends by itself.' }),
    manuallyCreated: t.boolean({
      description: 'Items that were added by hand are not adjusted: one with true is left out.',
    }),
  }),
});

const AdjustSubscription = builder.inputType('AdjustSubscriptionInput', {
  description: 'What a subscription is to become, and when.',
  fields: (t) => ({
    timing: t.field({ type: AdjustmentTiming, required: true, description: 'When.' }),
    newSubscriptionItems: t.field({
      type: [AdjustmentItem],
      required: true,
      description: 'All its items from then on; those that are not named end.',
    }),
    prorateCurrentBillingPeriod: t.boolean({
      description:
        'Whether what is left of the billing period is charged for at once; yes when absent.',
    }),
  }),
});

const Adjusted = builder.objectRef<AdjustedSubscription>('AdjustedSubscription').implement({
  description: 'How an adjustment went.',
  fields: (t) => ({
    subscription: t.expose('subscription', { type: Subscription, description: 'As it is now.' }),
    subscriptionItems: t.field({
      type: [SubscriptionItem],
      description: 'What it consists of now, also what was added by hand.',
      resolve: ({ subscriptionItems }) => [...subscriptionItems],
    }),
    resolvedTiming: t.expose('resolvedTiming', {
      type: ResolvedTiming,
      description: 'When the adjustment takes effect.',
    }),
    isUpgrade: t.exposeBoolean('isUpgrade', {
      description: 'Whether the new items cost more than the old ones.',
    }),
    billingRunId: t.exposeID('billingRunId', {
      nullable: true,
      description:
        'The billing run that is not paid yet; the adjustment is made when it is. Null when nothing is waited for.',
    }),
  }),
});

const PreviewedSubscriptionItem = builder
  .objectRef<PreviewedItem>('PreviewedSubscriptionItem')
  .implement({
    description: 'An item of a subscription as it is or would be.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'The name for people.' }),
      unitPrice: t.expose('unitPrice', { type: 'SafeInt', description: 'Minor units for one.' }),
      quantity: t.expose('quantity', { type: 'SafeInt', description: 'How many.' }),
      priceId: t.exposeID('priceId', { nullable: true, description: 'The price.' }),
    }),
  });

const detail =
  (name: string) =>
  ({ paymentMethodData }: PaymentMethod) => {
    const value = paymentMethodData[name];
    return typeof value === 'string' ? value : null;
  };

const PreviewedPaymentMethod = builder
  .objectRef<PaymentMethod>('PreviewedPaymentMethod')
  .implement({
    description: 'What would pay, as people tell it from others.',
    fields: (t) => ({
      id: t.exposeID('id', { description: '`pm_…`' }),
      type: t.expose('type', { type: PaymentMethodType, description: 'The kind of it.' }),
      last4: t.string({
        nullable: true,
        description: 'The last digits of a card.',
        resolve: detail('last4'),
      }),
      brand: t.string({
        nullable: true,
        description: 'Whose card it is.',
        resolve: detail('brand'),
      }),
    }),
  });

const AdjustmentPreview = builder.objectRef<PreviewedAdjustment>('AdjustmentPreview').implement({
  description: 'What an adjustment would do; all of it is null when it cannot be made.',
  fields: (t) => ({
    subscription: t.expose('subscription', { type: Subscription, description: 'As it is now.' }),
    canAdjust: t.exposeBoolean('canAdjust', { description: 'Whether it can be made.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it cannot be made.' }),
    previewGeneratedAt: t.expose('previewGeneratedAt', {
      type: 'Timestamp',
      description: 'When this was worked out, by the customer’s clock.',
    }),
    prorationAmount: t.expose('prorationAmount', {
      type: 'SafeInt',
      nullable: true,
      description: 'What would be charged for at once, before tax, in minor units.',
    }),
    amountDue: t.expose('amountDue', {
      type: 'SafeInt',
      nullable: true,
      description: 'What the payment method would be charged: with tax, less the credit balance.',
    }),
    creditAmount: t.expose('creditAmount', {
      type: 'SafeInt',
      nullable: true,
      description: 'What the customer would get to its credit.',
    }),
    currentPlanTotal: t.expose('currentPlanTotal', {
      type: 'SafeInt',
      nullable: true,
      description: 'What a period costs now, in minor units.',
    }),
    newPlanTotal: t.expose('newPlanTotal', {
      type: 'SafeInt',
      nullable: true,
      description: 'What a period would cost, in minor units.',
    }),
    resolvedTiming: t.expose('resolvedTiming', {
      type: ResolvedTiming,
      nullable: true,
      description: 'When it would take effect.',
    }),
    effectiveDate: t.expose('effectiveDate', {
      type: 'Timestamp',
      nullable: true,
      description: 'The instant of that.',
    }),
    isUpgrade: t.exposeBoolean('isUpgrade', {
      nullable: true,
      description: 'Whether the new items cost more than the current ones.',
    }),
    percentThroughBillingPeriod: t.exposeFloat('percentThroughBillingPeriod', {
      nullable: true,
      description: 'How far the billing period would have come then, from 0 to 1.',
    }),
    billingPeriodEnd: t.expose('billingPeriodEnd', {
      type: 'Timestamp',
      nullable: true,
      description: 'When the current billing period ends.',
    }),
    newInterval: t.field({
      type: IntervalUnit,
      nullable: true,
      description: 'The unit of a billing period, where it would be another one.',
      resolve: ({ newInterval }) => newInterval?.unit,
    }),
    newIntervalCount: t.int({
      nullable: true,
      description: 'How many units a billing period would have, where that would change.',
      resolve: ({ newInterval }) => newInterval?.count,
    }),
    newIntervalStart: t.expose('newIntervalStart', {
      type: 'Timestamp',
      nullable: true,
      description: 'When the first billing period by the new interval would begin.',
    }),
    paymentMethod: t.expose('paymentMethod', {
      type: PreviewedPaymentMethod,
      nullable: true,
      description: 'What would pay.',
    }),
    currentSubscriptionItems: t.field({
      type: [PreviewedSubscriptionItem],
      nullable: true,
      description: 'What it consists of now, without what was added by hand.',
      resolve: ({ currentSubscriptionItems }) =>
        currentSubscriptionItems && [...currentSubscriptionItems],
    }),
    newSubscriptionItems: t.field({
      type: [PreviewedSubscriptionItem],
      nullable: true,
      description: 'What it would consist of, without what was added by hand.',
      resolve: ({ newSubscriptionItems }) => newSubscriptionItems && [...newSubscriptionItems],
    }),
  }),
});

const Canceled = builder.objectRef<CanceledAdjustment>('CanceledScheduledAdjustment').implement({
  description: 'A subscription without the adjustment that was scheduled.',
  fields: (t) => ({
    subscription: t.expose('subscription', { type: Subscription, description: 'As it is now.' }),
    canceledItemCount: t.exposeInt('canceledItemCount', {
      description: 'How many items were to begin and do not.',
    }),
  }),
});

builder.mutationFields((t) => ({
  adjustSubscription: t.field({
    type: Adjusted,
    description:
      'Changes what a subscription consists of, now or when its billing period ends. What is to be paid for that is charged first, and waited for up to 60 seconds. Errors: NOT_FOUND; BAD_REQUEST for what cannot be adjusted, and for a payment that fails, which leaves everything as it was.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      adjustment: t.arg({
        type: AdjustSubscription,
        required: true,
        description: 'To what, and when.',
      }),
    },
    validate: { schema: adjustSubscriptionInput },
    extensions: { waitsSeconds: patienceSeconds },
    resolve: (_root, args, session) =>
      adjustSubscription(session, args as never, AbortSignal.timeout(patienceSeconds * 1_000)),
  }),
  previewSubscriptionAdjustment: t.field({
    type: AdjustmentPreview,
    description:
      'What an adjustment would do, worked out as it would be done; a refusal is part of the answer. Errors: NOT_FOUND; BAD_REQUEST for input in no documented form.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      adjustment: t.arg({
        type: AdjustSubscription,
        required: true,
        description: 'To what, and when.',
      }),
    },
    validate: { schema: adjustSubscriptionInput },
    resolve: (_root, args, session) => previewAdjustment(session, args as never),
  }),
  cancelScheduledAdjustment: t.field({
    type: Canceled,
    description:
      'Takes a scheduled adjustment back; the items are what they were. Errors: NOT_FOUND; BAD_REQUEST when nothing is scheduled.',
    args: { id: t.arg.id({ required: true, description: 'The id of the subscription.' }) },
    validate: { schema: cancelScheduledAdjustmentInput },
    resolve: (_root, args, session) => cancelScheduledAdjustment(session, args),
  }),
}));
