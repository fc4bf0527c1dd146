-- Trigger function: adds a movement of a customer to the series of its kind on its day, and subtracts a removed one.
create or replace function count_mrr_movement()
returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_statistic(new.pricing_model_id, 'mrr_' || new.kind, new.product_id, new.currency, new.at, 1,
      new.amount_after - new.amount_before);
  else
    perform add_statistic(old.pricing_model_id, 'mrr_' || old.kind, old.product_id, old.currency, old.at, -1,
      old.amount_before - old.amount_after);
  end if;
  return null;
end $$;
