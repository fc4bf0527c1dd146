import { markTemporaryClaims } from '#domain/capacity/temporary-claims.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Purchase } from '#domain/model/money/purchase.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { lockSubscriptionsOf } from '#domain/platform/locks/lock-subscription.ts';
import { grantPurchase } from './grant-purchases.ts';
import { endCredits, restoreCredits } from './purchase-credits.ts';

/**
 * Revokes what a purchase of a product that is bought once has granted, after its full refund or its loss in a dispute.
 * Access and capacity end now, and so do unused usage credits; used ones stay as used. Claims beyond the remaining
 * capacity stay until they are released. The customer is locked.
 */
export async function revokePurchase(session: Session, purchase: Purchase) {
  const { em, now } = session;
  if (purchase.priceType !== 'single_payment' || purchase.revokedAt) return;
  purchase.revokedAt = now;
  await lockSubscriptionsOf(session, purchase.customer.id);
  const items = await em.find(SubscriptionItem, { purchaseId: purchase.id, expiredAt: null });
  for (const item of items) item.expire(now);
  const of = { subscriptionItem: { $in: items.map(({ id }) => id) } };
  const features = await em.find(SubscriptionItemFeature, of);
  for (const feature of features) feature.expire(now);
  await em.flush();
  await endCredits(session, purchase);
  for (const { subscriptionId } of items) await markTemporaryClaims(session, subscriptionId);
}

/** Grants a purchase again, since the money of its refund is at the seller again. The customer is locked. */
export async function restorePurchase(session: Session, purchase: Purchase) {
  if (!purchase.revokedAt) return;
  const all = await lockSubscriptionsOf(session, purchase.customer.id);
  const current = all.findLast(({ current }) => current);
  if (current) {
    await restoreCredits(session, current, purchase);
    await grantPurchase(session, current, purchase);
  }
  purchase.revokedAt = null;
}
