import type { Session } from '#domain/kernel/session.ts';
import { currentPeriod } from '#domain/rules/locks/current-period.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import { UsageCredit } from '#domain/usage-credits/usage-credit.ts';
import { type Book, noPeriod } from './book.ts';
import { expireCredits } from './change-usage.ts';
import { type Grant, giveCredits, tellOfCredits } from './credits.ts';
import { bookKeyOf, holdBooks } from './lock-books.ts';
import { periodOf } from './period-usage.ts';
import { writeBooks } from './write-books.ts';

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
