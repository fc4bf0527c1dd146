import { adjustmentTimings } from '#domain/subscriptions/adjusting/adjust-input.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { nullEmpties } from '../engine/extensions.ts';
import { nullable, of } from '../engine/fields.ts';
import { input } from '../engine/types.ts';
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

const AdjustmentItem = input('AdjustmentItemInput', {
  description:
    'A requested item: an existing item by its id, a complete new item, or a price with a quantity. Absent fields come from the item named by `id`, otherwise from the price.',
  fields: {
    id: nullable.id('The id of the existing item; absent for a new one.'),
    subscriptionId: nullable.id('The subscription, when given; it must be the one of the request.'),
    addedDate: nullable.time('Has no effect, because an item starts with the adjustment.'),
    name: nullable.text('The display name.'),
    priceId: nullable.id('The id of the price; alternative to `priceSlug`.'),
    priceSlug: nullable.text('The slug of an active price, or its id; alternative to `priceId`.'),
    unitPrice: nullable.safeInt('The price of one unit, in minor units, 0 or more.'),
    discountPercentage: nullable.decimal(`${discountText} Null for none.`, extensions),
    trialEnd: nullable.time(
      `${trialText} It must be in the future; null ends the trial.`,
      extensions,
    ),
    quantity: nullable.safeInt('The quantity, 1 or more; 1 when absent.'),
    type: nullable.of(SubscriptionItemType, 'The type of item.'),
    externalId: nullable.text('Your own id of the item; null for none.', extensions),
    metadata: nullable.json(
      'Key-value pairs; values are text, numbers, booleans, lists or objects. Null means none.',
      extensions,
    ),
    expiredAt: nullable.time('The time when the item expires; null for never.', extensions),
    manuallyCreated: nullable.flag('Whether the item was added manually; such items are ignored.'),
  },
});

export const AdjustSubscription = input('AdjustSubscriptionInput', {
  description: 'The requested items of a subscription, and the timing.',
  fields: {
    timing: of(AdjustmentTiming, 'When.'),
    newSubscriptionItems: of(
      [AdjustmentItem],
      'All items after the adjustment; existing items that are not named end.',
    ),
    prorateCurrentBillingPeriod: nullable.flag(
      'Whether the rest of the billing period is charged immediately; true when absent.',
    ),
  },
});

export const UpdateSubscriptionItem = input('UpdateSubscriptionItemInput', {
  description: 'Changes to one item of a subscription. Absent fields do not change.',
  fields: {
    priceId: nullable.id('The id of another price; alternative to `priceSlug`.'),
    priceSlug: nullable.text('The slug of another price; alternative to `priceId`.'),
    quantity: nullable.safeInt('The quantity, 1 or more.'),
    unitPrice: nullable.safeInt('The negotiated price of one unit, in minor units, 0 or more.'),
    discountPercentage: nullable.decimal(`${discountText} Null for none.`, extensions),
    trialEnd: nullable.time(
      `${trialText} It must be in the future; null ends the trial.`,
      extensions,
    ),
    name: nullable.text('The display name.'),
    externalId: nullable.text('Your own id of the item; null for none.', extensions),
    metadata: nullable.json('Replaces all key-value pairs; null removes them.', extensions),
  },
});
