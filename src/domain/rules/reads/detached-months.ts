import type { EntityManager } from '@mikro-orm/postgresql';

/** Whether the month of events that were recorded at an instant is detached. */
export async function areDetached(em: EntityManager, recordedAt: string): Promise<boolean> {
  const [{ isDetached }] = await em.execute<[{ isDetached: boolean }]>(
    `select ?::timestamp < coalesce(min(to_date(right(c.relname, 7), 'YYYY_MM'))::timestamp, 'infinity') as "isDetached"
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'usage_event'::regclass and c.relname ~ '^usage_event_[0-9]{4}_[0-9]{2}$'`,
    [recordedAt],
  );
  return isDetached;
}
