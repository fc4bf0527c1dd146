import { defineEntity, type Opt, p } from '@mikro-orm/core';
import {
  checksOf,
  instant,
  oldestFirst,
  safeInteger,
  tenantColumns,
} from '#domain/kernel/columns.ts';
import type { Metadata } from '#domain/kernel/inputs/metadata.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Price } from '#domain/model/catalog/price.ts';
import type { Pricing } from '#domain/model/catalog/pricing.ts';
import { Subscription } from './subscription.ts';
import { SubscriptionItemFeature } from './subscription-item-feature.ts';

export const subscriptionItemTypes = ['static'] as const;

/** The order in which the items of a subscription are read. */
export const inOrderAdded = { addedDate: 'asc', position: 'asc', id: 'asc' } as const;

const SubscriptionItemSchema = defineEntity({
  name: 'SubscriptionItem',
  indexes: [
    pageIndex('subscription_item'),
    { name: 'subscription_item_subscription', properties: ['subscription'] },
  ],
  uniques: [
    {
      name: 'subscription_item_manual_unique',
      properties: ['subscription'],
      where: { manuallyCreated: true, price: null, purchaseId: null, expiredAt: null },
    },
    {
      name: 'subscription_item_purchase_unique',
      properties: ['purchaseId', 'subscription'],
      where: { purchaseId: { $ne: null }, expiredAt: null },
    },
  ],
  checks: checksOf({
    subscription_item_range: 'unit_price >= 0 and quantity >= 0',
    subscription_item_purchased:
      'purchase_id is null or manually_created and price_id is null and unit_price = 0',
    subscription_item_pricing:
      '(pricing is null) = (priced_amount is null) and (priced_amount is null or priced_amount >= 0)',
  }),
  properties: {
    ...tenantColumns('si'),
    subscription: () => p.manyToOne(Subscription).ref().deleteRule('cascade'),
    name: p.string(),
    /** The instant from which it is charged and grants its features. */
    addedDate: instant(),
    price: () => p.manyToOne(Price).ref().nullable().deleteRule('restrict').index(),
    /** Minor units for a quantity of 1, unless the price has another model: then the most that one costs. */
    unitPrice: safeInteger(),
    quantity: safeInteger(),
    /** How the price of the item is computed; null for a price per unit, also one that was agreed for the item. */
    pricing: p.json<Pricing>().nullable().hidden(),
    /** Minor units for the quantity in a whole period; null where it is `unitPrice` times `quantity`. */
    pricedAmount: safeInteger().nullable().hidden(),
    type: p.enum(subscriptionItemTypes).default('static'),
    externalId: p.string().nullable(),
    manuallyCreated: p.boolean().default(false),
    metadata: p.json<Metadata>().nullable(),
    expiredAt: instant().nullable(),
    customerId: p.string().hidden(),
    /** The purchase of a product that is bought once, whose features it grants; null for other items. */
    purchaseId: p.string().nullable().hidden(),
    features: () =>
      p.oneToMany(SubscriptionItemFeature).mappedBy('subscriptionItem').orderBy(oldestFirst),
  },
});

/** One item of a subscription: a price and a quantity. */
export class SubscriptionItem extends SubscriptionItemSchema.class {
  get subscriptionId(): Opt<string> {
    return this.subscription.id;
  }

  get priceId(): Opt<string> | null {
    return this.price?.id ?? null;
  }

  isActive(now: Date) {
    return this.addedDate <= now && !this.isExpired(now);
  }

  isExpired(now: Date) {
    return this.expiredAt != null && this.expiredAt <= now;
  }

  /** Ends the item at `at`; an ended one keeps its instant. */
  expire(at: Date) {
    if (!this.isExpired(at)) this.expiredAt = at;
  }
}
SubscriptionItemSchema.setClass(SubscriptionItem);

/** Whether an item is charged and can be adjusted: it was not added by hand. */
export const isPlanItem = ({ manuallyCreated, priceId }: SubscriptionItem) =>
  !manuallyCreated && priceId !== null;
