import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { historyEvents } from '#domain/metering/history/history-events.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** Reads events of the session's pricing model by their ids, also those that have left the database for files. */
export async function readUsageEvents(
  session: Session,
  ids: readonly string[],
): Promise<UsageEvent[]> {
  const events = await readStoredEvents(session, ids);
  if (events.length === ids.length) return events;
  const known = new Set(events.map(({ id }) => id));
  const missing = ids.filter((id) => !known.has(id));
  return [...events, ...(await historyEvents(session, missing))];
}

/**
 * Reads events of the database by their ids. The key leads to the month, so the time does not depend on the number of
 * months.
 */
async function readStoredEvents(
  { em, pricingModelId }: Session,
  ids: readonly string[],
): Promise<UsageEvent[]> {
  const rows = await statement<Record<string, unknown>>(
    em,
    'usage events by id',
    `select e.* from usage_event_key k join usage_event e on e.pricing_model_id = $1
       and e.created_at = k.created_at and e.position = k.position and e.id = k.id
       and e.recorded_at = k.recorded_at
     where k.id = any($2::text[])`,
    [pricingModelId, ids],
  );
  return rows.map((row) => em.map(UsageEvent, row));
}

/** One event. Errors: NOT_FOUND. */
export async function readUsageEvent(session: Session, id: string): Promise<UsageEvent> {
  const [event] = id.includes('\0') ? [] : await readUsageEvents(session, [id]);
  if (!event) throw new DomainError('NOT_FOUND', `Usage event ${id} not found`);
  return event;
}

/**
 * One event that a correction may change. Errors: NOT_FOUND; CONFLICT for one whose month has left the database for
 * files, which never change.
 */
export async function readChangeableEvent(session: Session, id: string): Promise<UsageEvent> {
  const [event] = id.includes('\0') ? [] : await readStoredEvents(session, [id]);
  if (event) return event;
  const { usageMeterId } = await readUsageEvent(session, id);
  throw new DomainError(
    'CONFLICT',
    `Usage event ${id} of usage meter ${usageMeterId} is in the history, which does not change: credit the invoice instead`,
    { reason: 'INVALID_STATE' },
  );
}

/**
 * For `page`: the position of an event by its id and pricing model. The key is read first: it leads to one partition,
 * and a join may read them all.
 */
export const usageEventPositionSql = `select e.position
  from (select * from usage_event_key where id = ? offset 0) k cross join lateral (
    select e.position from usage_event e
    where e.created_at = k.created_at and e.position = k.position and e.id = k.id and e.recorded_at = k.recorded_at
      and e.pricing_model_id = ? offset 0) e`;
