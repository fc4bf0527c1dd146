-- Trigger function: notifies the processes that follow the feed of new events.
create or replace function announce_events()
returns trigger
language plpgsql as $$
begin
  perform pg_notify('tollgate_event', '');
  return null;
end $$;
