import { z } from 'zod';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { exactlyOne } from '#domain/kernel/inputs/input-issues.ts';
import { instantInput, textInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { positiveDecimalInput } from '#domain/kernel/values/decimal.ts';
import { grantTo } from '#domain/metering/credits/grant-to.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import type { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';

export const grantUsageCreditsInput = z.object({
  usageCredit: z
    .object({
      subscriptionId: z.string(),
      usageMeterId: z.string().nullish(),
      usageMeterSlug: z.string().nullish(),
      amount: positiveDecimalInput,
      expiresAt: instantInput.nullish(),
      priority: z.int().min(0).max(100).nullish(),
      reason: textInput.nullish(),
    })
    .refine(...exactlyOne(['usageMeterId', 'usageMeterSlug'])),
});

type Input = z.output<typeof grantUsageCreditsInput>;

/**
 * Grants a subscription credits by hand. They immediately cover uncovered usage of its running period. Errors:
 * BAD_REQUEST for an unknown or ended subscription, an unknown meter and a time that has passed.
 */
export async function grantUsageCredits(
  session: Session,
  { usageCredit }: Input,
): Promise<UsageCredit> {
  const { subscriptionId, usageMeterId, usageMeterSlug, expiresAt = null } = usageCredit;
  const unknown = invalid(
    'NOT_FOUND',
    'usageCredit.subscriptionId',
    `Unknown subscription ${subscriptionId}`,
  );
  const grant = async ({ subscription, session }: LockedSubscription) => {
    if (subscription.isTerminal) {
      throw invalid(
        'INVALID_STATE',
        'usageCredit.subscriptionId',
        `Subscription ${subscriptionId} has ended`,
      );
    }
    if (expiresAt && expiresAt <= session.now) {
      throw invalid('OUT_OF_RANGE', 'usageCredit.expiresAt', 'must be in the future');
    }
    const named = usageMeterId != null ? { id: usageMeterId } : { slug: usageMeterSlug ?? '' };
    const meter = await session.em.findOne(UsageMeter, named);
    if (!meter) {
      const field = usageMeterId != null ? 'usageMeterId' : 'usageMeterSlug';
      throw invalid(
        'NOT_FOUND',
        `usageCredit.${field}`,
        `Unknown usage meter ${named.id ?? named.slug}`,
      );
    }
    return grantTo(session, subscription, {
      usageMeterId: meter.id,
      amount: usageCredit.amount,
      expiresAt,
      source: 'manual',
      sourceId: null,
      billingPeriodId: '',
      priority: usageCredit.priority,
      reason: usageCredit.reason,
    });
  };
  return lockCaughtUp(session, subscriptionId, grant).catch((error: unknown) => {
    throw error instanceof DomainError && error.code === 'NOT_FOUND' ? unknown : error;
  });
}
