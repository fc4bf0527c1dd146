-- Drops a month of usage events whose files have rows, which the same transaction has written. Returns false, and leaves
-- the month, when an event has changed since `seen` changes. Runs with the rights of the owner, as the role of the service
-- may not change tables.
create or replace function drop_usage_event_month(month text, seen bigint)
returns boolean
language plpgsql security definer
set search_path = ${schema}, pg_temp as $$
declare
  beginning date := to_date(right(month, 7), 'YYYY_MM');
  is_attached boolean;
  has_events boolean;
begin
  if month !~ '^usage_event_[0-9]{4}_[0-9]{2}$' then raise exception '% is no month of usage events', month; end if;
  perform pg_advisory_xact_lock(hashtext('usage_event_months'));
  if to_regclass(month) is null then raise exception '% does not exist', month; end if;
  select exists (select from pg_inherits where inhparent = 'usage_event'::regclass and inhrelid = to_regclass(month))
    into is_attached;
  if is_attached then lock table usage_event in access exclusive mode; end if;
  if (select changes from usage_event_month where name = month) <> seen then return false; end if;
  execute format('select exists (select from %I)', month) into has_events;
  if has_events and not exists (select from usage_history_file f where f.month = beginning) then
    raise exception '% has events and no file', month;
  end if;
  if is_attached then
    execute format('alter table usage_event detach partition %I', month);
    perform add_row_count('usage_event', each.key, (-sum(each.value::bigint))::bigint)
      from usage_history_file f cross join jsonb_each_text(f.events_of) each
      where f.month = beginning group by each.key;
  end if;
  execute format('drop table %I', month);
  delete from usage_event_month where name = month;
  return true;
end $$;

revoke execute on function drop_usage_event_month(text, bigint) from public;
