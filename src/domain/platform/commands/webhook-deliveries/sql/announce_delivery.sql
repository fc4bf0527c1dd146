-- Trigger function: announces new and attempted deliveries to the connection that writes them. Its process wakes those
-- that watch deliveries after the commit (src/server/database/wake-ups.ts).
create or replace function announce_delivery()
returns trigger
language plpgsql as $$
declare
  changed text;
begin
  if tg_op = 'INSERT' then
    select string_agg(added.pricing_model_id || ' ' || added.webhook_id || ' ' || added.id, e'\n') into changed from added;
  else
    select string_agg(added.pricing_model_id || ' ' || added.webhook_id || ' ' || added.id, e'\n') into changed
      from added join removed using (id)
      where (removed.status, removed.attempts, removed.attempt_count)
        is distinct from (added.status, added.attempts, added.attempt_count);
  end if;
  if changed is not null then raise info 'tollgate_delivery' using detail = changed; end if;
  return null;
end $$;
