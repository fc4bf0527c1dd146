import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#engines/lockstep/statement.ts';

/**
 * Whether events that were recorded in a time span cannot be read: their months are neither in the table of all events
 * nor in files. A month without events has no file, so only the first and the last one must have one.
 */
export async function areUnreadable(
  { em, organizationId, livemode }: Session,
  recordedFrom: string,
  recordedUntil: string | null,
): Promise<boolean> {
  const [row] = await statement<{ unreadable: boolean }>(
    em,
    'months of usage events that cannot be read',
    `with span as (
       select date_trunc('month', $1::timestamp)::date as first, date_trunc('month', coalesce($2, $1)::timestamp)::date as last
     ), tables as (
       select to_date(right(c.relname, 7), 'YYYY_MM') as month, i.inhrelid is not null as attached
       from pg_class c left join pg_inherits i on i.inhrelid = c.oid
       where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname ~ '^usage_event_[0-9]{4}_[0-9]{2}$'
     )
     select exists (select from span, tables where not attached and month between first and last)
       or exists (select from span, unnest(array[first, last]) as wanted (month)
         where wanted.month < (select min(month) from tables where attached)
           and not exists (select from usage_history_file f
             where f.organization_id = $3 and f.livemode = $4 and f.month = wanted.month)) as unreadable`,
    [recordedFrom, recordedUntil, organizationId, livemode],
  );
  return row?.unreadable === true;
}
