import { z } from 'zod';
import { positiveDecimalInput } from '#domain/kernel/decimal.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { coded } from '#domain/kernel/input-issues.ts';
import { instantInput, textInput } from '#domain/kernel/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { grantTo } from '#domain/rules/ledger/grant-to.ts';
import type { LockedSubscription } from '#domain/rules/locks/lock-subscription.ts';
import { lockCaughtUp } from '#domain/rules/present/lock-present.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import type { UsageCredit } from './usage-credit.ts';

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
    .refine(
      ({ usageMeterId, usageMeterSlug }) => (usageMeterId == null) !== (usageMeterSlug == null),
      coded('INVALID', 'usageMeterId', 'give either usageMeterId or usageMeterSlug'),
    ),
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
