import { ref } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { halfUp } from '#domain/kernel/values/decimal.ts';
import { withAmount } from '#domain/model/catalog/cost.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { pricingAtInstant } from '#domain/model/catalog/pricing.ts';
import type { PlannedItem } from '#domain/model/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import {
  amountFor,
  countable,
  grantFeature,
  grantFeatures,
  grantsThatCount,
} from '#domain/subscriptions/entitlement/grant-features.ts';

/** Adds an item to a locked subscription as of `at`, with the features of its product. */
export async function addItem(
  session: Session,
  subscription: Subscription,
  { id: _, priceId, expiredAt, ...columns }: PlannedItem,
  at: Date,
): Promise<SubscriptionItem> {
  const price = await session.em.findOneOrFail(Price, priceId, { populate: ['product'] });
  const pricing = pricingAtInstant(columns.pricing, at);
  const item = session.em.create(SubscriptionItem, {
    ...withAmount({ ...columns, pricing }),
    subscription,
    price,
    addedDate: at,
    expiredAt: expiredAt === null ? null : new Date(expiredAt),
    customerId: subscription.customerId,
  });
  const product = await price.product?.loadOrFail();
  if (product) await grantFeatures(session, subscription, item, product);
  return item;
}

/** Ends an item and its features as of `at`. */
export async function endItem(session: Session, item: SubscriptionItem, at: Date) {
  item.expire(at);
  for (const feature of await featuresOf(session, item)) feature.expire(at);
}

/** Updates an item that continues; its features follow its price and quantity. */
export async function updateItem(
  session: Session,
  subscription: Subscription,
  item: SubscriptionItem,
  { id: _, priceId, expiredAt, ...columns }: PlannedItem,
  at: Date,
) {
  const { quantity } = item;
  const before = await item.price?.loadOrFail();
  const price = await session.em.findOneOrFail(Price, priceId);
  Object.assign(item, withAmount({ ...columns, pricing: pricingAtInstant(columns.pricing, at) }));
  item.expiredAt = expiredAt === null ? null : new Date(expiredAt);
  if (before?.id !== price.id) item.price = ref(price);
  const features = await featuresOf(session, item);
  if (before?.productId !== price.productId) {
    await regrant(session, subscription, item, features, at);
  } else if (quantity !== item.quantity) {
    for (const feature of features) {
      feature.amount = scaledAmount(feature, item.quantity, quantity);
    }
  }
}

/**
 * The amount of a feature for a quantity of its item. Features that were added by hand, and credits for a subscription, do
 * not scale. Errors: BAD_REQUEST for more than can be counted.
 */
export function scaledAmount(
  {
    amount = null,
    manuallyCreated,
    per = null,
    featureId,
  }: Pick<SubscriptionItemFeature, 'amount' | 'manuallyCreated' | 'per' | 'featureId'>,
  quantity: number,
  before: number,
): number | null {
  if (amount === null || manuallyCreated || quantity === before || per === 'subscription')
    return amount;
  const scaled = halfUp(BigInt(amount) * BigInt(quantity), BigInt(before));
  return Math.max(1, countable(scaled, featureId));
}

/**
 * Replaces the features of an item whose product changes. Features of both products continue, the rest of the old one
 * ends, and the rest of the new one begins, as for a new item.
 */
async function regrant(
  session: Session,
  subscription: Subscription,
  item: SubscriptionItem,
  features: readonly SubscriptionItemFeature[],
  at: Date,
) {
  const product = await (await item.price?.loadOrFail())?.product?.loadOrFail();
  if (!product) return;
  // Features that were added by hand stay. Once one has ended, the product may grant it.
  const byHand = features.filter((own) => own.manuallyCreated && !own.isExpired(at));
  const apart = new Set(byHand.map(({ featureId }) => featureId));
  const grants = await grantsThatCount(session, product, apart);
  const granted = new Set(grants.map(({ featureId }) => featureId));
  for (const own of features) {
    if (!byHand.includes(own) && !granted.has(own.featureId)) own.expire(at);
  }
  for (const grant of grants) {
    const own = features.find(({ featureId }) => featureId === grant.featureId);
    if (!own) {
      grantFeature(session, subscription, item, grant);
      continue;
    }
    const feature = grant.feature.unwrap();
    own.amount = amountFor(feature, item.quantity);
    own.per = feature.per ?? null;
    own.productFeature = ref(grant);
    own.manuallyCreated = false;
    own.expiredAt = null;
  }
}

/** Expires features that were added by hand and that the plan now grants itself. */
export async function yieldToPlan(
  { em }: Session,
  subscription: Subscription,
  items: readonly SubscriptionItem[],
  at: Date,
) {
  const all = await em.find(
    SubscriptionItemFeature,
    { subscriptionId: subscription.id },
    { populate: ['subscriptionItem'] },
  );
  const ids = new Set(items.map(({ id }) => id));
  const planned = new Set(
    all
      .filter((feature) => ids.has(feature.subscriptionItemId) && !feature.isExpired(at))
      .map(({ featureId }) => featureId),
  );
  for (const feature of all) {
    const byHand = feature.subscriptionItem.unwrap().manuallyCreated;
    if (byHand && planned.has(feature.featureId)) feature.expire(at);
  }
}

const featuresOf = ({ em }: Session, { id }: SubscriptionItem) =>
  em.find(SubscriptionItemFeature, { subscriptionItem: id }, { populate: ['feature'] });
