import type { EntityManager } from '@mikro-orm/postgresql';

const monthsAhead = 2;

/** Creates the missing partitions of usage events for this month and the next ones. Returns how many it created. */
export async function addUsageEventMonths(em: EntityManager, now: Date): Promise<number> {
  const rows = await em.execute<{ added: boolean }[]>(
    `select add_usage_event_month((date_trunc('month', ?::timestamptz at time zone 'UTC') + n * interval '1 month')::date) as added
     from generate_series(0, ${monthsAhead}) n order by n`,
    [now],
  );
  return rows.filter(({ added }) => added).length;
}

/**
 * Detaches the partitions of months that ended a given number of months ago. They stay in the database as separate
 * tables, to be archived or dropped; their events are not listed or counted. Their transaction ids stay known, so
 * that no event is counted twice. Returns their names.
 */
export async function detachUsageEventMonths(
  em: EntityManager,
  now: Date,
  months: number,
): Promise<string[]> {
  const old = await em.execute<{ name: string }[]>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'usage_event'::regclass and c.relname ~ '^usage_event_[0-9]{4}_[0-9]{2}$'
       and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month'
         <= date_trunc('month', ?::timestamptz at time zone 'UTC') - ?::int * interval '1 month'
     order by 1`,
    [now, months],
  );
  const gone: string[] = [];
  for (const { name } of old) {
    // This is a function of the tables' owner: the role of the service may not change tables.
    const [{ detached }] = await em.execute<[{ detached: boolean }]>(
      'select detach_usage_event_month(?) as detached',
      [name],
    );
    if (detached) gone.push(name);
  }
  return gone;
}
