import { amountOfItem, costOfItem, listedAmountOfItem } from '#domain/model/catalog/cost.ts';
import { Price } from '#domain/model/catalog/price.ts';
import type { Pricing } from '#domain/model/catalog/pricing.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import {
  SubscriptionItem,
  subscriptionItemTypes,
} from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { mostFeatures } from '#domain/subscriptions/entitlement/most-features.ts';
import { PricePart } from '../catalog/price-costs.ts';
import { PriceModel, partOfRow } from '../catalog/price-models.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, nullable, of, safeInt, text, time } from '../engine/fields.ts';
import { withId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';

/** The description of the discount of an item. */
export const discountText =
  'The percentage by which the amount of the item is reduced, before discounts of the whole payment; above 0 and below 100, of at most 4 places.';

/** The description of the trial of an item. */
export const trialText =
  'The end of the trial of the item. Until then it grants its features and costs nothing; then the rest of the billing period is charged.';

/** The end of the trial of an item; null without one. */
export const trialEndOf = ({
  pricing,
}: {
  readonly pricing?: Pricing | null | undefined;
}): Date | null => (pricing?.trialEnd === undefined ? null : new Date(pricing.trialEnd));

export const SubscriptionItemType = builder.enumType('SubscriptionItemType', {
  description: 'The type of a subscription item.',
  values: described(subscriptionItemTypes, {
    static: 'The item has the same price in every period.',
  }),
});

record(SubscriptionItem, {
  description: 'One item of a subscription.',
  fields: (t) => ({
    ...withId('subscription', Subscription, 'The subscription.'),
    name: text('The display name.'),
    addedDate: time('The time since which the item is charged and grants its features.'),
    priceId: nullable.id('The price; null for an item that was added manually.'),
    unitPrice: safeInt(
      'The price of one unit, in minor units. Where tiers state the prices, it is the most that one unit can cost.',
    ),
    quantity: safeInt('The quantity.'),
    discountPercentage: t.field({
      type: 'Decimal',
      nullable: true,
      description: `${discountText} Null for none.`,
      resolve: ({ pricing }) => pricing?.discount ?? null,
    }),
    trialEnd: t.field({
      type: 'Timestamp',
      nullable: true,
      description: `${trialText} Null without a running trial.`,
      resolve: trialEndOf,
    }),
    model: t.field({
      type: PriceModel,
      description:
        'How the quantity becomes an amount: that of its price, and per_unit for a negotiated unit price.',
      resolve: ({ pricing }) => pricing?.model ?? 'per_unit',
    }),
    amount: t.field({
      type: 'SafeInt',
      description: 'The amount for the quantity in a whole billing period, in minor units.',
      resolve: amountOfItem,
    }),
    amountAfterTrial: t.field({
      type: 'SafeInt',
      description: 'The same after the trial of the item; without one it is equal to `amount`.',
      resolve: listedAmountOfItem,
    }),
    priceParts: t.field({
      type: [PricePart],
      description:
        'The steps of the amount by the model of the price, at most 1,000; empty for a price per unit.',
      extensions: partOfRow,
      resolve: (item) => costOfItem(item).parts,
    }),
    type: of(SubscriptionItemType, 'The type of item.'),
    externalId: nullable.text('Your own id of the item.'),
    manuallyCreated: flag('Whether the item was added manually; such items are not charged.'),
    metadata: nullable.json(
      'Key-value pairs; values are text, numbers, booleans, lists or objects.',
    ),
    expiredAt: nullable.time('The time when it expires or expired; null when no end is set.'),
    price: t.field({
      type: Price,
      nullable: true,
      description: 'The price; null for an item that was added manually.',
      resolve: async ({ price }) => (await price?.loadOrFail()) ?? null,
    }),
    features: t.field({
      type: [SubscriptionItemFeature],
      description: `The features granted now or earlier, oldest first; at most ${mostFeatures.toLocaleString('en-US')}. The limit makes pages unnecessary.`,
      resolve: ({ features }) => features.loadItems(),
    }),
  }),
});
