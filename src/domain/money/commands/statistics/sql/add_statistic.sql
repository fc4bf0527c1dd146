-- Adds to a series of a pricing model on a day. Concurrent writers update different slots, so that they never wait for
-- each other; a new slot is inserted when all are locked.
create or replace function add_statistic(
  model text, of_series text, product text, unit text, moment timestamptz, more int, more_amount numeric
)
returns void
language plpgsql as $$
declare
  on_day date := (moment at time zone 'UTC')::date;
begin
  update statistic_day set count = count + more, amount = amount + more_amount
  where pricing_model_id = model and series = of_series and product_id = product and day = on_day and currency = unit
    and slot = (
      select slot from statistic_day
      where pricing_model_id = model and series = of_series and product_id = product and day = on_day and currency = unit
      order by slot limit 1 for update skip locked);
  if not found then
    insert into statistic_day (pricing_model_id, organization_id, series, product_id, day, currency, slot, count, amount)
    select id, organization_id, of_series, product, on_day, unit, nextval('total_slot'), more, more_amount
    from pricing_model where id = model;
  end if;
end $$;
