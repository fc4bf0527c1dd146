-- Trigger function: notifies the processes that watch deliveries of a new or changed delivery.
create or replace function announce_delivery()
returns trigger
language plpgsql as $$
begin
  perform pg_notify('tollgate_delivery', new.pricing_model_id || ' ' || new.webhook_id || ' ' || new.id);
  return null;
end $$;
