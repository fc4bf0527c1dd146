-- Trigger function: splits the cause of an event that an SQL function has written as one text.
create or replace function split_origin()
returns trigger
language plpgsql as $$
begin
  select o.actor_type, o.actor_id, o.cause_id, o.cause into new.actor_type, new.actor_id, new.cause_id, new.cause
    from keep_origin(new.cause_id) as o;
  return new;
end $$;
