-- Trigger function: splits the cause that SQL functions write, `<actor type> <actor id> <cause>`, into its three columns.
-- The text is built by `originText` in rules/feed/origin.ts; no part contains a space.
create or replace function split_origin()
returns trigger
language plpgsql as $$
declare
  origin constant text[] := string_to_array(new.cause_id, ' ');
begin
  new.actor_type := origin[1];
  new.actor_id := origin[2];
  new.cause_id := nullif(origin[3], '');
  return new;
end $$;
