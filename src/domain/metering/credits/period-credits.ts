import { LoadStrategy } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { decimalText, unitsOf } from '#domain/kernel/values/decimal.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import type { Grant } from './grant-credits.ts';
import { grantedOnce, granting } from './granted-once.ts';
import { rolloverOf } from './granted-rollover.ts';

/**
 * The credits that the features of a subscription grant at the start of a period. Credits of each period last until
 * its end, unless they roll over. One-time credits do not expire; they come with the first period, and with one that
 * begins with a change of items for what these grant. A feature does not grant the same credits again.
 */
export async function periodCredits(
  { em, now }: Session,
  subscription: Subscription,
  period: BillingPeriod | null,
  grants: 'first' | 'changed' | 'later',
): Promise<Grant[]> {
  const features = await em.find(
    SubscriptionItemFeature,
    { subscriptionId: subscription.id, type: 'usage_credit_grant' },
    // Most subscriptions have none, so that features are read only where there are some.
    { populate: ['feature'], strategy: LoadStrategy.SELECT_IN },
  );
  if (features.every((feature) => feature.isExpired(now))) return [];
  const items = await em.find(SubscriptionItem, { subscription: subscription.id });
  const active = new Map(items.filter((item) => item.isActive(now)).map((item) => [item.id, item]));
  const unexpired = granting(
    features.filter(
      (feature) =>
        !feature.isExpired(now) &&
        (feature.per !== 'subscription' || active.has(feature.subscriptionItemId)),
    ),
    now,
  );
  const given = await em.find(UsageCredit, {
    sourceId: { $in: unexpired.map(({ id }) => id) },
    source: 'feature',
    billingPeriodId: period?.id ?? '',
  });
  const known = new Set(given.map(({ sourceId }) => sourceId));
  const once = await grantedOnce({ em }, subscription.id, unexpired);
  return unexpired.flatMap((feature): Grant[] => {
    const { id, amount, usageMeterId, renewalFrequency, subscriptionItemId } = feature;
    const isOnce = renewalFrequency === 'once';
    const isDue = grants === 'first' || (grants === 'changed' && !feature.manuallyCreated);
    const billingPeriodId = isOnce ? '' : (period?.id ?? '');
    const item = active.get(subscriptionItemId);
    if (!usageMeterId || amount == null || !item || (isOnce && !isDue)) return [];
    const before = once.get(id);
    const left = unitsOf(String(amount)) - (before?.units ?? 0n);
    if (isOnce ? left <= 0n : known.has(id)) return [];
    const expiresAt = isOnce ? null : (period?.endDate ?? null);
    // The first credit of a feature names the feature.
    const source = { source: 'feature', sourceId: before?.isNamed ? null : id } as const;
    const rollover =
      isOnce || !period
        ? null
        : rolloverOf(feature.feature.unwrap(), unitsOf(String(amount)), {
            amount,
            quantity: feature.per === 'subscription' ? 1 : item.quantity,
          });
    const granted = { usageMeterId, amount: decimalText(left), expiresAt };
    return [{ ...granted, ...source, billingPeriodId, rollover }];
  });
}
