import type { Session } from '../session.ts';
import { statement } from '../statement.ts';
import { readUsageEvents } from './read-usage-event.ts';
import type { Row } from './record-usage-events.ts';
import type { UsageEvent } from './usage-event.ts';

/**
 * Takes the ids that nobody has used: the rows that are to be counted, by their ids. Of several with one id
 * the first counts. Ids are taken in their order, so that calls which cross wait, and never in a circle; whoever
 * comes second waits for the first to be committed, and then finds the event.
 */
export async function claimIds(
  { em }: Session,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, Row>> {
  const byId = new Map<string, Row>();
  for (const row of rows) if (!byId.has(row.event.id)) byId.set(row.event.id, row);
  const wanted = [...byId.values()];
  const taken = await statement<{ id: string }>(
    em,
    'claim usage event ids',
    `insert into usage_event_key (id, created_at, recorded_at)
     select id, created_at, now() from unnest($1::text[], $2::timestamptz[]) as wanted (id, created_at)
     order by id collate "C" on conflict do nothing returning id`,
    [wanted.map(({ event }) => event.id), wanted.map(({ event }) => event.createdAt)],
  );
  const ids = new Set(taken.map(({ id }) => id));
  return new Map([...byId].filter(([id]) => ids.has(id)));
}

/** The event that each id stands for: the new one, or the one that has been there. */
export async function firstEvents(
  session: Session,
  rows: readonly Row[],
  claimed: ReadonlyMap<string, Row>,
): Promise<ReadonlyMap<string, UsageEvent>> {
  const first = new Map([...claimed].map(([id, { event }]) => [id, event]));
  const repeated = new Set(rows.map(({ event }) => event.id).filter((id) => !claimed.has(id)));
  if (repeated.size === 0) return first;
  for (const event of await readUsageEvents(session, [...repeated])) first.set(event.id, event);
  return first;
}
