import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { variantProblems } from '#domain/catalog/feature-variant.ts';
import { command } from '#domain/kernel/command.ts';
import { DomainError, invalid, invalidInput } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, sameId } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch } from '#domain/kernel/values/patch.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { lockSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { grantFields } from './subscription-item-feature-input.ts';

export const updateSubscriptionItemFeatureInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    subscriptionItemFeature: z.object(
      changesTo({
        ...grantFields,
        id: z.string(),
        subscriptionItemId: z.string(),
        featureId: z.string(),
      }),
    ),
  })
  .refine(...sameId('subscriptionItemFeature'));

/** The fields that identify the feature and its item; they cannot change. */
const fixed = [
  'type',
  'subscriptionItemId',
  'featureId',
  'productFeatureId',
  'usageMeterId',
  'resourceId',
] as const;

/**
 * Changes the amount of a feature on a subscription item, its renewal and its end. Errors: NOT_FOUND; BAD_REQUEST for
 * another item, feature or type, and for a field of another type.
 */
export function updateSubscriptionItemFeature(
  session: Session,
  {
    id,
    subscriptionItemFeature: changes,
    expectedVersion,
  }: z.output<typeof updateSubscriptionItemFeatureInput>,
): Promise<SubscriptionItemFeature> {
  return command(session, async (session) => {
    const feature = await lockSubscriptionItemFeature(session, id);
    expectVersion(feature, expectedVersion);
    for (const path of fixed) {
      if (changes[path] != null && changes[path] !== feature[path]) {
        throw invalid(
          'IMMUTABLE',
          `subscriptionItemFeature.${path}`,
          `cannot change: it is ${feature[path]}`,
        );
      }
    }
    const { amount, renewalFrequency, expiredAt, detachedAt, detachedReason, manuallyCreated } =
      changes;
    const problems = variantProblems(feature.type, {
      amount: amount ?? feature.amount,
      usageMeterId: feature.usageMeterId,
      renewalFrequency: renewalFrequency ?? feature.renewalFrequency,
      resourceId: feature.resourceId,
    });
    if (problems.length > 0) {
      const issues = problems.map(({ path, ...problem }) => ({
        ...problem,
        path: ['subscriptionItemFeature', path],
      }));
      throw new DomainError('BAD_REQUEST', invalidInput, { issues });
    }
    return patch(feature, {
      amount,
      renewalFrequency,
      expiredAt,
      detachedAt,
      detachedReason,
      manuallyCreated,
    });
  });
}

/** Locks a feature with its subscription. Errors: NOT_FOUND. */
export async function lockSubscriptionItemFeature(session: Session, id: string) {
  const { em } = session;
  const { subscriptionId } = await em.findOneOrFail(SubscriptionItemFeature, id);
  await lockSubscription(session, subscriptionId);
  return em.findOneOrFail(SubscriptionItemFeature, id, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  });
}
