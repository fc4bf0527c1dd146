import { decimalText, unitsOf } from '#domain/kernel/decimal.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import type { Reservation } from '#domain/reservations/reservation.ts';
import { type Book, noPeriod } from '#domain/rules/ledger/book.ts';
import { coverOpen, expireCredits, freeCredits } from '#domain/rules/ledger/change-usage.ts';
import { bookKeyOf, holdBooks } from '#domain/rules/ledger/lock-books.ts';
import { periodOf } from '#domain/rules/ledger/period-usage.ts';
import { writeBooks } from '#domain/rules/ledger/write-books.ts';
import { currentPeriod } from '#domain/rules/locks/current-period.ts';
import type { LockedSubscription } from '#domain/rules/locks/lock-subscription.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';

/** What of a meter's credits is to be held. */
export interface CreditsWanted {
  readonly usageMeterSlug?: string | null | undefined;
  readonly usageAmount?: string | null | undefined;
}

/** The columns of a reservation that holds credits. */
export type HeldCredits = Pick<Reservation, 'usageMeterId' | 'usageAmount' | 'balanceId'>;

/**
 * Finds out whether credits of a held subscription can be held besides: nothing is taken from the ledger, but as
 * long as the reservation holds them no usage is covered by them, and no other reservation gets them. Errors:
 * BAD_REQUEST for an unknown meter; CONFLICT for more than is free.
 */
export async function holdCredits(
  held: LockedSubscription,
  { usageMeterSlug, usageAmount }: CreditsWanted,
): Promise<HeldCredits> {
  if (usageMeterSlug == null || usageAmount == null) {
    return { usageMeterId: null, usageAmount: null, balanceId: null };
  }
  const meter = await held.session.em.findOne(UsageMeter, { slug: usageMeterSlug });
  if (!meter) {
    throw invalid('usageMeterSlug', `${usageMeterSlug} is no usage meter of this pricing model`);
  }
  const { book } = await bookOf(held, meter.id);
  const free = freeCredits(book);
  if (free < unitsOf(usageAmount)) {
    throw new DomainError(
      'CONFLICT',
      `${usageAmount} credits of ${usageMeterSlug} were asked for, and ${decimalText(free)} are free`,
    );
  }
  return { usageMeterId: meter.id, usageAmount, balanceId: book.balanceId };
}

/** Lets credits that are held no longer cover what was used meanwhile without any. */
export async function freeHeldCredits(held: LockedSubscription, usageMeterId: string | null) {
  if (usageMeterId === null) return;
  await held.session.em.flush();
  const { book, running } = await bookOf(held, usageMeterId);
  expireCredits(book);
  coverOpen(book, book.balanceId, running);
  if (book.postings.length > 0) await writeBooks(held.session, [book]);
}

async function bookOf({ session, subscription }: LockedSubscription, usageMeterId: string) {
  const { id: subscriptionId, customerId } = subscription;
  const period = await currentPeriod(session, subscription);
  const running = period ? periodOf(period, false) : noPeriod;
  const periodIds = new Set([running.id]);
  const wanted = { subscriptionId, usageMeterId, customerId, periodIds, now: session.now };
  const books = await holdBooks(session, [wanted]);
  return { book: books.get(bookKeyOf(subscriptionId, usageMeterId)) as Book, running };
}
