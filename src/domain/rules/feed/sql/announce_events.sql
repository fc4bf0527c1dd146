-- Trigger function: announces new events to the connection that writes them. Its process wakes the followers of the feed
-- after the commit (src/server/database/wake-ups.ts): a notification from here would lock the whole server until then.
create or replace function announce_events()
returns trigger
language plpgsql as $$
begin
  raise info 'tollgate_event';
  return null;
end $$;
