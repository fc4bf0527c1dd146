import type { Wanted } from '#domain/metering/ledger/lock-ledgers.ts';
import type { LockedUse, Row } from './usage-call.ts';

/** The subscriptions that have alerts. */
export const watchedIn = (locked: ReadonlyMap<string, LockedUse>): string[] =>
  [...locked].flatMap(([id, { watched }]) => (watched ? id : []));

/**
 * The ledgers that are locked in the round trip of the insertion. They are none where other locks come first, or where
 * what is read depends on the events that are new.
 */
export const wantedEarly = (
  rows: readonly Row[],
  locked: ReadonlyMap<string, LockedUse>,
): Wanted[] =>
  watchedIn(locked).length > 0 ||
  rows.some(({ event, replaces }) => replaces ?? event.firstRecordedAt)
    ? []
    : wantedBy(rows, locked);

/** The ledgers of new events, each with the periods of its events. */
export function wantedBy(rows: readonly Row[], locked: ReadonlyMap<string, LockedUse>): Wanted[] {
  const wanted = new Map<string, Wanted & { periodIds: Set<string>; since: Date | null }>();
  for (const { event, period, kind } of rows) {
    const known = wanted.get(kind.ledgerKey);
    if (known) known.periodIds.add(period.id);
    else {
      const { subscriptionId, usageMeterId, customerId, createdAt, firstRecordedAt } = event;
      const since = firstRecordedAt ?? null;
      const watched = locked.get(subscriptionId)?.watched ?? false;
      const of = { subscriptionId, usageMeterId, customerId, now: createdAt, since, watched };
      wanted.set(kind.ledgerKey, { ...of, periodIds: new Set([period.id]) });
    }
  }
  return [...wanted.values()];
}
