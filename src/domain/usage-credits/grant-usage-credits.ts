import { z } from 'zod';
import { BillingPeriod } from '../billing-periods/billing-period.ts';
import { command } from '../command.ts';
import { positiveDecimalInput } from '../decimal.ts';
import { DomainError, invalid } from '../errors.ts';
import { instantInput, textInput } from '../inputs.ts';
import type { Session } from '../session.ts';
import { lockSubscription } from '../subscriptions/lock-subscription.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { catchUp } from '../subscriptions/transition-subscription.ts';
import { type Book, noPeriod } from '../usage-balances/book.ts';
import { expireCredits } from '../usage-balances/change-usage.ts';
import { bookKeyOf, holdBooks } from '../usage-balances/hold-books.ts';
import { periodOf } from '../usage-balances/turn-over-usage.ts';
import { writeBooks } from '../usage-balances/write-books.ts';
import { UsageMeter } from '../usage-meters/usage-meter.ts';
import { type Grant, giveCredits, tellOfCredits } from './credits.ts';
import { UsageCredit } from './usage-credit.ts';

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
      {
        path: ['usageMeterId'],
        message: 'give either usageMeterId or usageMeterSlug',
      },
    ),
});

type Input = z.output<typeof grantUsageCreditsInput>;

/**
 * Gives a subscription credits by hand. They cover at once what its running period has used without any.
 * Errors: BAD_REQUEST for an unknown or ended subscription, an unknown meter and a time that has passed.
 */
export async function grantUsageCredits(
  session: Session,
  { usageCredit }: Input,
): Promise<UsageCredit> {
  const { subscriptionId, usageMeterId, usageMeterSlug, expiresAt = null } = usageCredit;
  const unknown = invalid('usageCredit.subscriptionId', 'is no subscription of this pricing model');
  await catchUp(session, subscriptionId).catch((error: unknown) => {
    throw error instanceof DomainError && error.code === 'NOT_FOUND' ? unknown : error;
  });
  return command(session, async (session) => {
    const { subscription, session: then } = await lockSubscription(session, subscriptionId);
    if (subscription.isTerminal) {
      throw invalid('usageCredit.subscriptionId', 'is a subscription that has ended');
    }
    if (expiresAt && expiresAt <= then.now) {
      throw invalid('usageCredit.expiresAt', 'must lie in the future');
    }
    const named = usageMeterId != null ? { id: usageMeterId } : { slug: usageMeterSlug ?? '' };
    const meter = await then.em.findOne(UsageMeter, named);
    if (!meter) {
      const field = usageMeterId != null ? 'usageMeterId' : 'usageMeterSlug';
      throw invalid(`usageCredit.${field}`, 'is no usage meter of this pricing model');
    }
    return grantTo(then, subscription, {
      usageMeterId: meter.id,
      amount: usageCredit.amount,
      expiresAt,
      source: 'manual',
      sourceId: null,
      billingPeriodId: '',
      priority: usageCredit.priority,
      reason: usageCredit.reason,
    });
  });
}

/** Part of a transaction: gives a held subscription one credit. */
export async function grantTo(
  session: Session,
  subscription: Subscription,
  grant: Grant,
): Promise<UsageCredit> {
  const { em, now } = session;
  const { id: subscriptionId, customerId } = subscription;
  const { usageMeterId } = grant;
  const period = await currentPeriod(session, subscription);
  const running = period ? periodOf(period, false) : noPeriod;
  const wanted = {
    subscriptionId,
    usageMeterId,
    customerId,
    periodIds: new Set([running.id]),
    now,
  };
  const books = await holdBooks(session, [wanted]);
  const book = books.get(bookKeyOf(subscriptionId, usageMeterId)) as Book;
  const expired = expireCredits(book);
  const credits = giveCredits(subscription, running, [[book, grant]]);
  await writeBooks(session, [book], { credits });
  await tellOfCredits(session, subscription, [
    ...expired.map((credit) => ({ verb: 'expired' as const, credit, usageMeterId })),
    ...[...book.newCredits].map((credit) => ({ verb: 'created' as const, credit, usageMeterId })),
  ]);
  const [id = ''] = credits.keys();
  return em.findOneOrFail(UsageCredit, id);
}

/** The period that a subscription is in; null where it has none. */
export const currentPeriod = async (
  { em }: Session,
  { id, currentBillingPeriodStart: startDate }: Subscription,
): Promise<BillingPeriod | null> =>
  startDate ? em.findOne(BillingPeriod, { subscription: id, startDate }) : null;
