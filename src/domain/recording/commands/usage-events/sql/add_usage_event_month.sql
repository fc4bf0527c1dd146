-- Adds the partition of usage events of a month and moves the events of that month into it. Returns whether it is new.
-- Runs with the rights of the owner, since the role of the service may not change tables.
create or replace function add_usage_event_month(month date)
returns boolean
language plpgsql security definer
set search_path = ${schema}, pg_temp as $$
declare
  name text := 'usage_event_' || to_char(month, 'YYYY_MM');
  beginning timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  ending timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
begin
  if to_regclass(name) is not null then return false; end if;
  perform pg_advisory_xact_lock(hashtext('usage_event_months'));
  if to_regclass(name) is not null then return false; end if;
  lock table usage_event in access exclusive mode;
  execute format('create table %I (like usage_event including defaults including constraints)', name);
  execute format('with moved as (delete from usage_event_rest where recorded_at >= %L and recorded_at < %L returning *)
    insert into %I select * from moved', beginning, ending, name);
  -- While an organization moves, whole old rows are logged; so are those of a new month.
  if (select relreplident = 'f' from pg_class where oid = 'usage_event'::regclass) then
    execute format('alter table %I replica identity full', name);
  end if;
  execute format('alter table usage_event attach partition %I for values from (%L) to (%L)', name, beginning, ending);
  return true;
end $$;

revoke execute on function add_usage_event_month(date) from public;
