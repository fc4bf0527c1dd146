-- Detaches a partition of usage events, so that its events are no longer listed or counted. Returns whether it was attached.
-- Runs with the rights of the owner, since the role of the service may not change tables.
create or replace function detach_usage_event_month(name text)
returns boolean
language plpgsql security definer
set search_path = ${schema}, pg_temp as $$
begin
  if name !~ '^usage_event_[0-9]{4}_[0-9]{2}$' then raise exception '% is no month of usage events', name; end if;
  -- Another process may detach it at the same time; the second one finds it detached.
  perform pg_advisory_xact_lock(hashtext('usage_event_months'));
  perform from pg_inherits where inhparent = 'usage_event'::regclass and inhrelid = to_regclass(name);
  if not found then return false; end if;
  execute format('alter table usage_event detach partition %I', name);
  execute format('select add_row_count(''usage_event'', pricing_model_id, -count(*)) from %I group by pricing_model_id', name);
  return true;
end $$;

revoke execute on function detach_usage_event_month(text) from public;
