import { z } from 'zod';
import { jsonNumber } from '#domain/kernel/decimal.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { newId } from '#domain/kernel/ids.ts';
import { keptText } from '#domain/kernel/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { holdPresent } from '#domain/rules/collection/lock-present.ts';
import { originColumns } from '#domain/rules/feed/origin.ts';
import { writeEvents } from '#domain/rules/feed/record-changes.ts';
import { settleAfterEnd } from '#domain/rules/invoicing/bill-last-usage.ts';
import { afterEnd, type Book, type Period } from '#domain/rules/ledger/book.ts';
import { changeUsage, expireCredits, type Step } from '#domain/rules/ledger/change-usage.ts';
import { uncountable, uncountableUsage } from '#domain/rules/ledger/largest-usage.ts';
import { bookKeyOf, holdBooks } from '#domain/rules/ledger/lock-books.ts';
import { settleClosed } from '#domain/rules/ledger/settle-closed.ts';
import { writeBooks } from '#domain/rules/ledger/write-books.ts';
import { lockSubscription } from '#domain/rules/locks/lock-subscription.ts';
import { periodOfEvent } from '#domain/rules/recording/period-of-event.ts';
import { type Fall, fallWithout } from '#domain/rules/recording/usage-without.ts';
import { correctionOf, firstRecorded } from '#domain/rules/recording/used-before.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { readUsageEvent } from './read-usage-event.ts';
import type { UsageEvent } from './usage-event.ts';

export const reasonInput = keptText(1_000).trim().min(1);

export const voidUsageEventInput = z.object({ id: z.string(), reason: reasonInput });

type Input = z.output<typeof voidUsageEventInput>;

const hourMilliseconds = 3_600_000;

/**
 * Takes a usage event back with reversing entries: what was covered by credits goes back to them, what was
 * to be paid is no longer, and what has been billed is made up for on the next invoice, or, where the
 * subscription has ended, goes to the customer's credit balance. Errors: NOT_FOUND;
 * CONFLICT for one that counts no more.
 */
export async function voidUsageEvent(session: Session, input: Input): Promise<UsageEvent> {
  const { subscriptionId } = await readUsageEvent(session, input.id);
  return holdPresent(session, subscriptionId, async ({ session }) => {
    const { event, falls } = await takeBack(session, input, null);
    // Where it had stood before another one, that one counts now.
    const rises = falls.some(({ by }) => by > 0n);
    if (rises && (await uncountable(session, [subscriptionId])).size > 0) {
      throw invalid('id', uncountableUsage);
    }
    await settleAfterEnd(session, subscriptionId);
    return event;
  });
}

/** An event that has been taken back, the period that it counted for, and what that has less. */
export interface TakenBack {
  readonly event: UsageEvent;
  readonly period: Period;
  readonly falls: readonly Fall[];
}

/**
 * Part of a transaction: takes an event back, and tells of it as voided, or replaced where another one counts. What
 * was used and covered stays as it is for one that is to count in its place: it is counted together with that.
 */
export async function takeBack(
  session: Session,
  { id, reason }: Input,
  replacedById: string | null,
  countsInPlace = false,
): Promise<TakenBack> {
  const { subscriptionId } = await readUsageEvent(session, id);
  const held = await lockSubscription(session, subscriptionId);
  const { subscription, session: then } = held;
  const event = await readUsageEvent(then, id);
  if (event.voidedAt) throw new DomainError('CONFLICT', `UsageEvent ${id} counts no more`);
  const { period, isBilled } = event.afterEnd
    ? { period: afterEnd, isBilled: false }
    : await periodOfEvent(then, subscription, event);
  const { usageMeterId, customerId } = event;
  const since = firstRecorded(event);
  const wanted = { subscriptionId, usageMeterId, customerId, now: then.now, since };
  const books = await holdBooks(then, [{ ...wanted, periodIds: new Set([period.id]) }]);
  const book = books.get(bookKeyOf(subscriptionId, usageMeterId)) as Book;
  expireCredits(book);
  await markVoided(then, event, { reason, isBilled, replacedById });
  const meter = await then.em.findOneOrFail(UsageMeter, usageMeterId);
  const falls = await fallWithout(then, book, event, meter);
  if (!countsInPlace) {
    const correction = await correctionOf(then, book, period, event, meter);
    const [first, ...together] = stepsOf(event, falls);
    if (first) changeUsage(book, { ...first, period, together, correction });
    await settleClosed(then, [{ book, period }]);
  }
  const hour = Math.floor(event.usageDate.getTime() / hourMilliseconds) * hourMilliseconds;
  const usage = falls.reduce((sum, { by }) => sum + by, 0n);
  await writeBooks(then, [book], {
    hours: [{ balanceId: book.balanceId, hour, usage, events: -1 }],
  });
  const voided = await readUsageEvent(then, id);
  await tell(then, voided);
  return { event: voided, period, falls };
}

/** What a ledger writes down of an event that is taken back. */
export const stepsOf = ({ id }: UsageEvent, falls: readonly Fall[]): Step[] =>
  falls.map((fall) => ({ source: { type: 'usage_voided', sourceId: id }, ...fall }));

interface Voiding {
  readonly reason: string;
  readonly isBilled: boolean;
  /** The event that is to count in its place. */
  readonly replacedById: string | null;
}

const markVoided = (
  { em, now, pricingModelId }: Session,
  { id, createdAt, position }: UsageEvent,
  { reason, isBilled, replacedById }: Voiding,
) =>
  statement(
    em,
    'void usage event',
    `update usage_event set voided_at = $4, updated_at = $4, void_reason = $5, voided_after_billing = $6,
       replaced_by_id = $7
     where pricing_model_id = $1 and created_at = $2 and id = $3 and position = $8`,
    [pricingModelId, createdAt, id, now, reason, isBilled, replacedById, position],
  );

function tell(session: Session, event: UsageEvent) {
  const { em, now, livemode, organizationId, pricingModelId } = session;
  const { id, customerId, subscriptionId, usageMeterId, voidReason, replacedById } = event;
  const shown = { id, customerId, subscriptionId, usageMeterId, voidReason, replacedById };
  return writeEvents(em, [
    {
      id: newId('evt'),
      type: replacedById ? 'usage_event.replaced' : 'usage_event.voided',
      objectType: 'UsageEvent',
      objectId: id,
      objectVersion: 2,
      data: { ...shown, amount: jsonNumber(event.amount), voidedAt: now.getTime() },
      previousAttributes: { voidedAt: null },
      customerId,
      livemode,
      organizationId,
      pricingModelId,
      occurredAt: now,
      ...originColumns(session),
    },
  ]);
}
