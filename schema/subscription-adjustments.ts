import {
  adjustmentTimings,
  adjustSubscriptionInput,
} from '#domain/rules/adjusting/adjust-input.ts';
import {
  type AdjustedSubscription,
  adjustSubscription,
} from '#domain/subscription-adjustments/adjust-subscription.ts';
import {
  type CanceledAdjustment,
  cancelScheduledAdjustment,
  cancelScheduledAdjustmentInput,
} from '#domain/subscription-adjustments/cancel-scheduled-adjustment.ts';
import { previewAdjustment } from '#domain/subscription-adjustments/preview-adjustment.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { AdjustmentPreview, ResolvedTiming } from './adjustment-preview.ts';
import { builder } from './engine/builder.ts';
import { fieldMarks, inputMarks } from './engine/extensions.ts';
import { SubscriptionItemType } from './subscription-items.ts';

/** How long the processor is waited for, as documented; longer than other operations may take. */
export const patienceSeconds = 60;

const AdjustmentTiming = builder.enumType('AdjustmentTiming', {
  description:
    'When an adjustment is to take effect: auto makes an upgrade at once, and anything else when the billing period ends.',
  values: adjustmentTimings,
});

/** Over REST, too, null is something else than absent. */
const extensions = inputMarks({ keepsNull: true });

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
    externalId: t.string({ description: 'Your own id of it; null for none.', extensions }),
    metadata: t.field({
      type: 'JSON',
      description: 'Names with a text, a number or a boolean; null for none.',
      extensions,
    }),
    expiredAt: t.field({
      type: 'Timestamp',
      description: 'When it ends by itself; null for never.',
      extensions,
    }),
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
    extensions: fieldMarks({ inSteps: true, waitsSeconds: patienceSeconds }),
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
