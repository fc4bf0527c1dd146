import { markTemporaryClaims } from '#domain/capacity/temporary-claims.ts';
import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';
import { grantTo } from '#domain/metering/credits/grant-to.ts';
import type { Feature } from '#domain/model/catalog/feature.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { grantsAccess } from '#domain/model/subscriptions/grants-access.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { amountFor, grantsThatCount } from '#domain/subscriptions/entitlement/grant-features.ts';
import { purchaseItem } from '#domain/subscriptions/entitlement/manual-item.ts';
import { carryCredits } from './purchase-credits.ts';

/**
 * Grants a locked subscription that has become current the features of all products that its customer has bought once.
 * Access and capacity follow the customer to each new subscription, and so do unused credits, which do not expire. A
 * purchase that is fully refunded grants nothing. The customer is locked.
 */
export async function grantPurchases(session: Session, subscription: Subscription) {
  const bought = {
    customer: subscription.customerId,
    priceType: 'single_payment',
    status: { $in: ['paid', 'partial_refund'] },
  } as const;
  const purchases = await session.em.find(Purchase, bought, { orderBy: oldestFirst });
  for (const purchase of purchases) await grantPurchase(session, subscription, purchase);
}

/** The same for one purchase that has been paid. */
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
  const others = features.filter(({ type }) => type !== 'usage_credit_grant');
  if (others.length > 0) await grantFeatures(session, subscription, purchase, others);
  if (purchase.creditsGrantedAt) return carryCredits(session, subscription, purchase);
  purchase.creditsGrantedAt = session.now;
  for (const feature of features.filter(({ type }) => type === 'usage_credit_grant')) {
    await grantOnce(session, subscription, purchase, feature);
  }
  await em.flush();
}

/** Adds an item with access and capacity, unless a current subscription of the customer has it. */
async function grantFeatures(
  session: Session,
  subscription: Subscription,
  purchase: Purchase,
  features: readonly Feature[],
) {
  const { em } = session;
  await em.flush();
  const known = {
    purchaseId: purchase.id,
    expiredAt: null,
    subscription: grantsAccess,
  };
  if ((await em.count(SubscriptionItem, known)) > 0) return;
  const item = purchaseItem(session, subscription, purchase);
  for (const feature of features) {
    em.create(SubscriptionItemFeature, {
      subscriptionItem: item,
      feature,
      productFeature: null,
      type: feature.type,
      amount: amountFor(feature, purchase.quantity),
      usageMeterId: null,
      renewalFrequency: null,
      resourceId: feature.resourceId ?? null,
      manuallyCreated: true,
      customerId: subscription.customerId,
      subscriptionId: subscription.id,
    });
  }
  await em.flush();
  if (features.some(({ type }) => type === 'resource')) {
    await markTemporaryClaims(session, subscription.id);
  }
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
    purchaseId: id,
    billingPeriodId: '',
    reason: `Purchase ${id}`,
  });
}
