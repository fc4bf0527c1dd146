-- Trigger function: counts a change of an event of a month that is being written to files, which are then out of date.
create or replace function note_usage_event_change()
returns trigger
language plpgsql as $$
begin
  update usage_event_month set changes = changes + 1 where name = tg_table_name;
  return null;
end $$;
