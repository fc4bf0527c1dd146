-- Counts the changes of the events of a month from now on. Returns their number so far: when it has not grown, the events
-- are those of any snapshot after this call. Runs with the rights of the owner, as the role of the service may not change
-- tables.
create or replace function watch_usage_event_month(month text)
returns bigint
language plpgsql security definer
set search_path = ${schema}, pg_temp as $$
declare
  seen bigint;
begin
  if month !~ '^usage_event_[0-9]{4}_[0-9]{2}$' then raise exception '% is no month of usage events', month; end if;
  insert into usage_event_month (name) values (month) on conflict do nothing;
  if not exists (select from pg_trigger where tgrelid = to_regclass(month) and tgname = 'noted') then
    -- Waits for the transactions that have changed events of the month.
    execute format('create trigger noted after update or delete on %I for each row execute function note_usage_event_change()', month);
  end if;
  select changes into seen from usage_event_month where name = month;
  return seen;
end $$;

revoke execute on function watch_usage_event_month(text) from public;
