import type { Session } from '#domain/kernel/session.ts';
import { decimalText, dividedHalfUp, type Units, unitsOf } from '#domain/kernel/values/decimal.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import type { Grant } from './grant-credits.ts';
import { grantTo } from './grant-to.ts';
import { grantedOnce, granting } from './granted-once.ts';
import { rolloverOf } from './granted-rollover.ts';

const whole = unitsOf('1');

/**
 * Grants the credits of items that change within a period. Credits of each period are granted for the rest of the
 * period, rounded half up to a whole number; one-time credits are granted in full. Each meter gets only the excess
 * over the grants of its features in this period. These count first against credits of each period, then against
 * one-time ones, in the order of the features' slugs. An item that continues counts as a new one does, less the
 * one-time credits that it or an ended item has granted in earlier periods. Where the credits of the period wait for a
 * payment, these wait with them.
 */
export async function grantMidPeriodCredits(
  session: Session,
  subscription: Subscription,
  period: BillingPeriod,
  { items, at }: { readonly items: readonly SubscriptionItem[]; readonly at: Date },
) {
  if (at < period.startDate || at >= period.endDate || subscription.withholdsCredits(period))
    return;
  const { em } = session;
  const all = await em.find(SubscriptionItemFeature, {
    subscriptionItem: { $in: items.map(({ id }) => id) },
    type: 'usage_credit_grant',
    manuallyCreated: false,
  });
  if (all.length === 0) return;
  const features = granting(all, session.now);
  const given = await em.find(UsageCredit, {
    subscriptionId: subscription.id,
    source: { $ne: 'manual' },
    createdAt: { $gte: period.startDate },
  });
  const before = await grantedOnce(session, subscription.id, features, period.startDate);
  const quantities = new Map(items.map(({ id, quantity }) => [id, quantity]));
  const quantityOf = ({ subscriptionItemId, per }: SubscriptionItemFeature) =>
    per === 'subscription' ? 1 : (quantities.get(subscriptionItemId) ?? 1);
  const named = new Set(given.map(({ sourceId }) => sourceId));
  const spare = new Map<string, Units>();
  for (const { usageMeterId, amount } of given) {
    spare.set(usageMeterId, (spare.get(usageMeterId) ?? 0n) + unitsOf(amount));
  }
  for (const feature of features) {
    const { id, usageMeterId, renewalFrequency } = feature;
    if (!usageMeterId || feature.isExpired(session.now)) continue;
    const isOnce = renewalFrequency === 'once';
    const wanted = isOnce
      ? unitsOf(String(feature.amount)) - (before.get(id)?.units ?? 0n)
      : partOf(feature.amount ?? 0, period, at);
    const known = spare.get(usageMeterId) ?? 0n;
    if (wanted <= 0n) continue;
    const left = known > wanted ? 0n : wanted - known;
    spare.set(usageMeterId, known > wanted ? known - wanted : 0n);
    if (left === 0n) continue;
    const grant: Grant = {
      usageMeterId,
      amount: decimalText(left),
      expiresAt: isOnce ? null : period.endDate,
      source: 'feature',
      // The first credit of a feature in a period names the feature, and the first of its one-time credits.
      sourceId: named.has(id) || before.get(id)?.isNamed ? null : id,
      billingPeriodId: isOnce ? '' : period.id,
      rollover: isOnce
        ? null
        : rolloverOf(feature.feature.unwrap(), left, {
            amount: feature.amount ?? 0,
            quantity: quantityOf(feature),
          }),
    };
    await grantTo(session, subscription, grant);
  }
}

/** The share of an amount for the rest of a period. */
function partOf(amount: number, { startDate, endDate }: BillingPeriod, at: Date): Units {
  const left = BigInt(endDate.getTime() - at.getTime());
  const length = BigInt(endDate.getTime() - startDate.getTime());
  return dividedHalfUp(BigInt(amount) * left, length) * whole;
}
