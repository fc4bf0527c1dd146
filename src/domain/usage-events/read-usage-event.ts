import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { readUsageEvents } from '#domain/rules/recording/read-usage-events.ts';
import type { UsageEvent } from './usage-event.ts';

/** For `page`: the position of an event by its id and pricing model. */
export const usageEventPositionSql = `select e.position from usage_event_key k join usage_event e
  on e.created_at = k.created_at and e.position = k.position and e.id = k.id and e.recorded_at = k.recorded_at
  where k.id = ? and e.pricing_model_id = ?`;

/** One event. Errors: NOT_FOUND. */
export async function readUsageEvent(session: Session, id: string): Promise<UsageEvent> {
  const [event] = id.includes('\0') ? [] : await readUsageEvents(session, [id]);
  if (!event) throw new DomainError('NOT_FOUND', `UsageEvent ${id} not found`);
  return event;
}
