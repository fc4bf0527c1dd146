import type { EntityManager } from '@mikro-orm/postgresql';
import { EventHead } from '#domain/events/event-head.ts';
import type { EventType } from '#domain/events/event-types.ts';
import { statement } from '#domain/kernel/statement.ts';

/** How many events get their sequence, and endpoints their deliveries, in one statement. */
export const largestCrowd = 5_000;

/**
 * Numbers the events of committed transactions in the order in which they were written; one process at a time. Only
 * readable events get a number. So no reader meets a lower number after a higher one, however long a transaction
 * takes.
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
 * The same outside a transaction; within one, such as a dry run, it does nothing. There its own events would get
 * numbers that are rolled back, and all others would wait for it.
 */
export async function sequenceCommitted(em: EntityManager) {
  if (!em.isInTransaction()) await sequenceEvents(em);
}

/**
 * The events that a listener waits for: these types and all of these pricing models; null for every pricing model.
 */
export interface Wanted {
  readonly types: readonly EventType[];
  readonly pricingModelIds: readonly string[] | null;
}

/**
 * Numbers events as `sequenceEvents` does. The same round trip returns how far the feed reaches and whether it
 * contains a wanted event after a sequence.
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
