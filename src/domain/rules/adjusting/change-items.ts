import { ref } from '@mikro-orm/core';
import { halfUp } from '#domain/kernel/decimal.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/prices/price.ts';
import {
  amountFor,
  countable,
  grantFeature,
  grantFeatures,
  grantsThatCount,
} from '#domain/rules/entitlement/grant-features.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import type { PlannedItem } from '#domain/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

/** Adds an item to a held subscription as of `at`, with what its product grants. */
export async function addItem(
  session: Session,
  subscription: Subscription,
  { id: _, priceId, expiredAt, ...columns }: PlannedItem,
  at: Date,
): Promise<SubscriptionItem> {
  const price = await session.em.findOneOrFail(Price, priceId, { populate: ['product'] });
  const item = session.em.create(SubscriptionItem, {
    ...columns,
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

/** Ends an item as of `at`, and with it what it grants. */
export async function endItem(session: Session, item: SubscriptionItem, at: Date) {
  item.expire(at);
  for (const feature of await featuresOf(session, item)) feature.expire(at);
}

/** Makes an item that goes on what it is to be; what it grants follows its price and how many there are. */
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
  Object.assign(item, columns);
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
 * What a feature comes to with so many units of its item: what was added by hand is not for each of them.
 * Errors: BAD_REQUEST for more than can be counted.
 */
export function scaledAmount(
  {
    amount = null,
    manuallyCreated,
    featureId,
  }: Pick<SubscriptionItemFeature, 'amount' | 'manuallyCreated' | 'featureId'>,
  quantity: number,
  before: number,
): number | null {
  if (amount === null || manuallyCreated || quantity === before) return amount;
  const scaled = halfUp(BigInt(amount) * BigInt(quantity), BigInt(before));
  return Math.max(1, countable(scaled, featureId));
}

/**
 * What both products grant goes on; the rest of the old one ends, and the rest of the new one begins. What the new
 * one grants is what it would grant a new item.
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
  // What was added by hand goes on as it is, and once it has ended the product may grant it.
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
    own.amount = amountFor(grant.feature.unwrap(), item.quantity);
    own.productFeature = ref(grant);
    own.manuallyCreated = false;
    own.expiredAt = null;
  }
}

/** What was added by hand and is part of the plan now ends: the plan brings it (reference §5.4). */
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
