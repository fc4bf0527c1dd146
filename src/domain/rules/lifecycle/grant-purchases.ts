import type { Feature } from '#domain/features/feature.ts';
import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/prices/price.ts';
import { Purchase } from '#domain/purchases/purchase.ts';
import { settleTemporaryClaims } from '#domain/rules/capacity/temporary-claims.ts';
import { amountFor, countable, grantsThatCount } from '#domain/rules/entitlement/grant-features.ts';
import { manualItem } from '#domain/rules/entitlement/manual-item.ts';
import { grantTo } from '#domain/rules/ledger/grant-to.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

/**
 * Grants a locked subscription that has become current the features of all products that its customer has bought once.
 * Usage credits are granted once, and do not expire; capacity and access follow the customer to each new subscription.
 */
export async function grantPurchases(session: Session, subscription: Subscription) {
  const { em } = session;
  const status = { $in: ['paid', 'partial_refund'] as const };
  const bought = {
    customer: subscription.customerId,
    priceType: 'single_payment',
    status,
  } as const;
  const purchases = await em.find(Purchase, bought, { orderBy: oldestFirst });
  for (const purchase of purchases) await grantPurchase(session, subscription, purchase);
}

/** The same for one purchase that has just been paid. */
export async function grantPurchase(
  session: Session,
  subscription: Subscription,
  purchase: Purchase,
) {
  const { em } = session;
  const price = await em.findOneOrFail(Price, purchase.priceId);
  const product = await price.product?.loadOrFail();
  if (!product) return;
  const features = (await grantsThatCount(session, product)).map(({ feature }) => feature.unwrap());
  const credits = features.filter(({ type }) => type === 'usage_credit_grant');
  const others = features.filter(({ type }) => type !== 'usage_credit_grant');
  for (const feature of others) await addToManual(session, subscription, purchase, feature);
  await em.flush();
  if (others.some(({ type }) => type === 'resource')) {
    await settleTemporaryClaims(session, subscription.id);
  }
  if (purchase.creditsGrantedAt) return;
  for (const feature of credits) await grantOnce(session, subscription, purchase, feature);
  purchase.creditsGrantedAt = session.now;
  await em.flush();
}

/** Adds a feature to those of the plan; capacity of several purchases adds up. */
async function addToManual(
  session: Session,
  subscription: Subscription,
  { quantity }: Purchase,
  feature: Feature,
) {
  const { em, now } = session;
  const item = await manualItem(session, subscription);
  const amount = amountFor(feature, quantity);
  const own = { subscriptionItem: item.id, feature: feature.id };
  const known = await em.findOne(SubscriptionItemFeature, own);
  if (known) {
    const before = known.isExpired(now) ? 0 : (known.amount ?? 0);
    known.amount = amount === null ? null : countable(before + amount, feature.id);
    known.expiredAt = null;
    return;
  }
  const { type, resourceId } = feature;
  em.create(SubscriptionItemFeature, {
    subscriptionItem: item,
    feature,
    productFeature: null,
    type,
    amount,
    usageMeterId: null,
    renewalFrequency: null,
    resourceId: resourceId ?? null,
    manuallyCreated: true,
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
  });
  await em.flush();
}

async function grantOnce(
  session: Session,
  subscription: Subscription,
  { id, quantity }: Purchase,
  feature: Feature,
) {
  const { usageMeterId } = feature;
  const amount = amountFor(feature, quantity);
  if (!usageMeterId || !amount) return;
  await grantTo(session, subscription, {
    usageMeterId,
    amount: String(amount),
    expiresAt: null,
    source: 'manual',
    sourceId: null,
    billingPeriodId: '',
    reason: `Purchase ${id}`,
  });
}
