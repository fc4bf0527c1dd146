import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { sequenceCommitted } from '#domain/rules/feed/sequence-events.ts';
import { Cause } from './cause.ts';

/** A cause by its id, or the newest one with this X-Request-Id. Errors: NOT_FOUND. */
export async function readCause(session: Session, id: string): Promise<Cause> {
  const { em } = session;
  const text = id.replaceAll('\0', '');
  const [found] = await readCauses(session, [text]);
  if (found) return found;
  const orderBy = { createdAt: 'desc', position: 'desc' } as const;
  const [newest] = await em.find(Cause, { requestId: text }, { orderBy, limit: 1 });
  if (newest) return newest;
  throw new DomainError('NOT_FOUND', `Cause ${text} not found`);
}

/**
 * The visible causes with these ids. A request that reports one usage event has no row, since a row for each would
 * slow the recording of usage. Its event has the facts.
 */
export async function readCauses(session: Session, ids: readonly string[]): Promise<Cause[]> {
  const found = await session.em.find(Cause, { id: { $in: [...ids] } });
  const known = new Set(found.map(({ id }) => id));
  const missing = ids.filter((id) => id.startsWith('cause_') && !known.has(id));
  return missing.length > 0 ? [...found, ...(await fromEvents(session, missing))] : found;
}

async function fromEvents(session: Session, ids: readonly string[]): Promise<Cause[]> {
  const { em, keyType, pricingModelId } = session;
  if (keyType !== 'secret') return [];
  await sequenceCommitted(em);
  const rows = await em.execute<object[]>(
    `select distinct on (cause) cause as id, 0 as position, recorded_at as created_at, livemode, organization_id,
       pricing_model_id, actor_type, actor_id, cause_id as request_id, null as cron_run_id, null as subject_id,
       null as operation, null as idempotency_key, null as address
     from event where cause in (select jsonb_array_elements_text(?::jsonb)) and sequence is not null
       and pricing_model_id = ? and type = 'usage_event.recorded'
     order by cause, sequence`,
    [JSON.stringify(ids), pricingModelId],
  );
  return rows.map((row) => em.map(Cause, row as never));
}
