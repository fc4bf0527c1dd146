-- Trigger function: records the status of a subscription. The changes of one instant are one change.
create or replace function count_status()
returns trigger
language plpgsql as $$
begin
  insert into subscription_status_change (subscription_id, at, organization_id, pricing_model_id, status_before, status_after)
  values (new.id, new.updated_at, new.organization_id, new.pricing_model_id, case when tg_op = 'UPDATE' then old.status end, new.status)
  on conflict (subscription_id, at) do update set status_after = excluded.status_after;
  return null;
end $$;
