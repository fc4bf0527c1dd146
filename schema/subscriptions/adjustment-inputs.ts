import { adjustmentTimings } from '#domain/subscriptions/adjusting/adjust-input.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { nullEmpties } from '../engine/extensions.ts';
import { discountText, SubscriptionItemType, trialText } from './subscription-items.ts';

export const AdjustmentTiming = builder.enumType('AdjustmentTiming', {
  description: 'The timing of an adjustment.',
  values: described(adjustmentTimings, {
    immediately: 'The adjustment takes effect immediately.',
    at_end_of_current_billing_period:
      'The adjustment takes effect at the end of the current billing period.',
    auto: 'An upgrade takes effect immediately, any other adjustment at the end of the current billing period.',
  }),
});

const extensions = nullEmpties;

const AdjustmentItem = builder.inputType('AdjustmentItemInput', {
  description:
    'A requested item: an existing item by its id, a complete new item, or a price with a quantity. Absent fields come from the item named by `id`, otherwise from the price.',
  fields: (t) => ({
    id: t.id({ description: 'The id of the existing item; absent for a new one.' }),
    subscriptionId: t.id({
      description: 'The subscription, when given; it must be the one of the request.',
    }),
    addedDate: t.field({
      type: 'Timestamp',
      description: 'Has no effect, because an item starts with the adjustment.',
    }),
    name: t.string({ description: 'The display name.' }),
    priceId: t.id({ description: 'The id of the price; alternative to `priceSlug`.' }),
    priceSlug: t.string({
      description: 'The slug of an active price, or its id; alternative to `priceId`.',
    }),
    unitPrice: t.field({
      type: 'SafeInt',
      description: 'The price of one unit, in minor units, 0 or more.',
    }),
    discountPercentage: t.field({
      type: 'Decimal',
      description: `${discountText} Null for none.`,
      extensions,
    }),
    trialEnd: t.field({
      type: 'Timestamp',
      description: `${trialText} It must be in the future; null ends the trial.`,
      extensions,
    }),
    quantity: t.field({ type: 'SafeInt', description: 'The quantity, 1 or more; 1 when absent.' }),
    type: t.field({ type: SubscriptionItemType, description: 'The type of item.' }),
    externalId: t.string({ description: 'Your own id of the item; null for none.', extensions }),
    metadata: t.field({
      type: 'JSON',
      description:
        'Key-value pairs; values are text, numbers, booleans, lists or objects. Null means none.',
      extensions,
    }),
    expiredAt: t.field({
      type: 'Timestamp',
      description: 'The time when the item expires; null for never.',
      extensions,
    }),
    manuallyCreated: t.boolean({
      description: 'Whether the item was added manually; such items are ignored.',
    }),
  }),
});

export const AdjustSubscription = builder.inputType('AdjustSubscriptionInput', {
  description: 'The requested items of a subscription, and the timing.',
  fields: (t) => ({
    timing: t.field({ type: AdjustmentTiming, required: true, description: 'When.' }),
    newSubscriptionItems: t.field({
      type: [AdjustmentItem],
      required: true,
      description: 'All items after the adjustment; existing items that are not named end.',
    }),
    prorateCurrentBillingPeriod: t.boolean({
      description:
        'Whether the rest of the billing period is charged immediately; true when absent.',
    }),
  }),
});

export const UpdateSubscriptionItem = builder.inputType('UpdateSubscriptionItemInput', {
  description: 'Changes to one item of a subscription. Absent fields do not change.',
  fields: (t) => ({
    priceId: t.id({ description: 'The id of another price; alternative to `priceSlug`.' }),
    priceSlug: t.string({ description: 'The slug of another price; alternative to `priceId`.' }),
    quantity: t.field({ type: 'SafeInt', description: 'The quantity, 1 or more.' }),
    unitPrice: t.field({
      type: 'SafeInt',
      description: 'The negotiated price of one unit, in minor units, 0 or more.',
    }),
    discountPercentage: t.field({
      type: 'Decimal',
      description: `${discountText} Null for none.`,
      extensions,
    }),
    trialEnd: t.field({
      type: 'Timestamp',
      description: `${trialText} It must be in the future; null ends the trial.`,
      extensions,
    }),
    name: t.string({ description: 'The display name.' }),
    externalId: t.string({ description: 'Your own id of the item; null for none.', extensions }),
    metadata: t.field({
      type: 'JSON',
      description: 'Replaces all key-value pairs; null removes them.',
      extensions,
    }),
  }),
});
