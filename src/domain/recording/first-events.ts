import type { Session } from '#domain/kernel/session.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { readUsageEvents } from './read-usage-events.ts';
import type { Row } from './usage-call.ts';

/** The event of each id: the new one, or the existing one. */
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
