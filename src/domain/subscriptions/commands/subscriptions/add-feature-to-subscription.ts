import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { markTemporaryClaims } from '#domain/capacity/temporary-claims.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { exactlyOne } from '#domain/kernel/inputs/input-issues.ts';
import type { Session } from '#domain/kernel/session.ts';
import { unitsOf } from '#domain/kernel/values/decimal.ts';
import { grantTo } from '#domain/metering/credits/grant-to.ts';
import { rolloverOf } from '#domain/metering/credits/granted-rollover.ts';
import { Feature } from '#domain/model/catalog/feature.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { currentPeriod } from '#domain/platform/reads/current-period.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { manualItem } from '#domain/subscriptions/entitlement/manual-item.ts';
import { requireRoom } from '#domain/subscriptions/entitlement/most-features.ts';
import { lockFeatures } from '#domain/subscriptions/entitlement/sync-product-features.ts';

export const addFeatureToSubscriptionInput = z
  .object({
    id: z.string(),
    featureId: z.string().nullish(),
    featureSlug: z.string().nullish(),
    grantCreditsImmediately: z.boolean().nullish(),
  })
  .refine(...exactlyOne(['featureId', 'featureSlug']));

type Input = z.output<typeof addFeatureToSubscriptionInput>;

/**
 * Grants a subscription a feature besides those of its product. An existing toggle stays as it is. Credits add up:
 * they are granted at the next boundary, or also now, once a period and until its end. Errors: NOT_FOUND; BAD_REQUEST
 * for a feature that cannot be granted, and for more features than an item may have. CONFLICT for a subscription that has ended, and for capacity that was added
 * by hand before.
 */
export async function addFeatureToSubscription(
  session: Session,
  input: Input,
): Promise<SubscriptionItemFeature> {
  return lockCaughtUp(session, input.id, async ({ subscription, session }) => {
    if (subscription.isTerminal) {
      throw new DomainError('CONFLICT', `Subscription ${input.id} has ended`, {
        reason: 'INVALID_STATE',
      });
    }
    const feature = await featureFor(session, input);
    const credits = input.grantCreditsImmediately ?? false;
    if (credits && feature.type !== 'usage_credit_grant') {
      throw invalid(
        'NOT_ALLOWED',
        'grantCreditsImmediately',
        `is allowed for usage credits only, not for a ${feature.type} feature`,
      );
    }
    const item = await manualItem(session, subscription);
    const existing = await session.em.findOne(
      SubscriptionItemFeature,
      { subscriptionItem: item.id, feature: feature.id },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    if (!existing) {
      const own = { subscriptionItem: item.id };
      requireRoom((await session.em.count(SubscriptionItemFeature, own)) + 1, 'id');
    }
    const added = existing
      ? addTo(session, existing, feature)
      : grant(session, subscription, item, feature);
    if (credits) await grantNow(session, subscription, added, feature);
    if (feature.type === 'resource') {
      await session.em.flush();
      await markTemporaryClaims(session, subscription.id);
    }
    return added;
  });
}

async function grantNow(
  session: Session,
  subscription: Subscription,
  added: SubscriptionItemFeature,
  feature: Feature,
) {
  const { em } = session;
  const { amount, usageMeterId } = feature;
  await em.flush();
  const period = await currentPeriod(session, subscription);
  const source = { source: 'add_feature', sourceId: added.id } as const;
  const of = { ...source, billingPeriodId: period?.id ?? '' };
  if (!usageMeterId || amount == null || (await em.count(UsageCredit, of)) > 0) return;
  const expiresAt = period?.endDate ?? null;
  const units = unitsOf(String(amount));
  const rollover = period && rolloverOf(feature, units, { amount, quantity: 1 });
  const grant = { ...of, usageMeterId, amount: String(amount), expiresAt, rollover };
  await grantTo(session, subscription, grant);
}

async function featureFor(session: Session, { featureId, featureSlug }: Input): Promise<Feature> {
  const path = featureId != null ? 'featureId' : 'featureSlug';
  const found = await session.em.findOne(
    Feature,
    featureId != null ? { id: featureId } : { slug: featureSlug ?? '' },
  );
  const [feature] = found ? await lockFeatures(session, [found.id]) : [];
  if (!feature) throw invalid('NOT_FOUND', path, `Unknown feature ${featureId ?? featureSlug}`);
  if (!feature.active) throw invalid('ARCHIVED', path, `${featureId ?? featureSlug} is not active`);
  return feature;
}

function grant(
  { em }: Session,
  subscription: Subscription,
  item: SubscriptionItem,
  feature: Feature,
): SubscriptionItemFeature {
  const { type, amount, usageMeterId, renewalFrequency, resourceId } = feature;
  return em.create(SubscriptionItemFeature, {
    subscriptionItem: item,
    feature,
    productFeature: null,
    type,
    amount: amount ?? null,
    usageMeterId,
    renewalFrequency: renewalFrequency ?? null,
    resourceId,
    manuallyCreated: true,
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
  });
}

function addTo({ now }: Session, existing: SubscriptionItemFeature, feature: Feature) {
  const ended = existing.isExpired(now);
  if (ended) existing.expiredAt = null;
  if (feature.type === 'toggle') return existing;
  if (ended) {
    existing.amount = feature.amount ?? null;
    return existing;
  }
  if (feature.type === 'resource') {
    throw new DomainError(
      'CONFLICT',
      `Feature ${feature.id} has already been added, and only usage credits can be added again`,
      { reason: 'TAKEN' },
    );
  }
  const amount = (existing.amount ?? 0) + (feature.amount ?? 0);
  if (!Number.isSafeInteger(amount)) {
    throw new DomainError(
      'CONFLICT',
      `There are too many credits of feature ${feature.id} to add more`,
      { reason: 'OUT_OF_RANGE' },
    );
  }
  existing.amount = amount;
  return existing;
}
