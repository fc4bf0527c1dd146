-- Trigger function: refuses changes of the terms of a price. A free price follows the currency of its organization.
create or replace function keep_price_terms()
returns trigger
language plpgsql as $$
begin
  if old.unit_price = 0 and (old.type, old.unit_price, old.interval_unit, old.interval_count, old.trial_period_days,
      old.usage_events_per_unit, old.product_id, old.usage_meter_id, old.model, old.tiers, old.package_size,
      old.percentage, old.fixed_fee, old.free_units, old.minimum_amount, old.maximum_amount, old.matrix)
    is not distinct from (new.type, new.unit_price, new.interval_unit, new.interval_count, new.trial_period_days,
      new.usage_events_per_unit, new.product_id, new.usage_meter_id, new.model, new.tiers, new.package_size,
      new.percentage, new.fixed_fee, new.free_units, new.minimum_amount, new.maximum_amount, new.matrix)
  then
    return new;
  end if;
  raise exception 'the terms of price % cannot change', old.id using errcode = 'check_violation';
end $$;
