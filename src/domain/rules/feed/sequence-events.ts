import type { EntityManager } from '@mikro-orm/postgresql';
import { EventHead } from '#domain/events/event-head.ts';
import type { EventType } from '#domain/events/event-types.ts';
import { statement } from '#domain/kernel/statement.ts';

/** How many events get their numbers, and endpoints their deliveries, in one statement. */
export const largestCrowd = 5_000;

/**
 * Gives the events of committed transactions their numbers, in the order in which they were written;
 * one process at a time. A number is given only to what can be read already, so no reader can meet a
 * lower number after a higher one, however long some transaction takes.
 */
export async function sequenceEvents(em: EntityManager) {
  for (;;) {
    const [{ given }] = await em.execute<[{ given: number }]>(
      'select sequence_events(?) as given',
      [largestCrowd],
    );
    if (given < largestCrowd) return;
  }
}

/**
 * The same where nothing else is under way: in a transaction, such as a dry run, its own events would get numbers
 * that it takes back, and all others would wait for it.
 */
export async function sequenceCommitted(em: EntityManager) {
  if (!em.isInTransaction()) await sequenceEvents(em);
}

/** What is listened for: events of these types, and all of these pricing models; null for all of every one. */
export interface Wanted {
  readonly types: readonly EventType[];
  readonly pricingModelIds: readonly string[] | null;
}

/**
 * Gives numbers as `sequenceEvents` does, in one round trip with the question how far the feed goes, and whether
 * anything that is listened for came after a place in it.
 */
export async function advanceFeed(em: EntityManager, after: number, wanted: Wanted) {
  const values = [largestCrowd, after, wanted.types, wanted.pricingModelIds];
  for (let some = false; ; ) {
    const [row] = await statement<{ given: number; last: string; wanted: boolean }>(
      em,
      'advance_feed',
      'select * from advance_feed($1, $2, $3, $4)',
      values,
    );
    if (!row) throw new Error('advance_feed answers one row');
    some ||= row.wanted;
    if (row.given < largestCrowd) return { last: Number(row.last), some };
  }
}

/** The number of the last event; the feed continues after it. */
export async function lastSequence(em: EntityManager): Promise<number> {
  return (await em.findOneOrFail(EventHead, 1)).sequence;
}
