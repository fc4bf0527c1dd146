-- Trigger function: announces the feeds that get new events to the connection that writes them. Its process wakes their
-- followers after the commit (src/server/database/wake-ups.ts): a notification from here would lock the whole server
-- until then.
create or replace function announce_events()
returns trigger
language plpgsql as $$
declare
  feeds text;
begin
  select string_agg(distinct added.organization_id || ' ' || added.livemode, e'\n') into feeds from added;
  if feeds is not null then raise info 'tollgate_event' using detail = feeds; end if;
  return null;
end $$;
