-- Trigger function: adds new parts of hours to the sums of their meter, and subtracts removed ones. Sums are additive, so
-- only values of properties and whole hours have them.
create or replace function add_usage_parts()
returns trigger
language plpgsql as $$
declare
  sign int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into usage_meter_part as stored (usage_meter_id, property, hour, value, organization_id, amount, events)
  select usage_meter_id, property, hour, value, min(organization_id), sign * sum(amount), sign * sum(events)
  from changed where value <> '!' and (property = '' or value <> '')
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (usage_meter_id, property, hour, value) do update
    set amount = stored.amount + excluded.amount, events = stored.events + excluded.events;
  return null;
end $$;
