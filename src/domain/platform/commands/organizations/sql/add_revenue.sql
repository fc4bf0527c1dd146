-- Adds to the totals of a pricing model, currency and day. Concurrent writers update different slots, so that they
-- never wait for each other; a new slot is inserted when all are locked.
create or replace function add_revenue(
  model text, unit text, moment timestamptz, more_invoiced bigint, more_paid bigint, more_refunded bigint
)
returns void
language plpgsql as $$
declare
  on_day date := (moment at time zone 'UTC')::date;
begin
  update revenue_day set invoiced = invoiced + more_invoiced, paid = paid + more_paid, refunded = refunded + more_refunded
  where pricing_model_id = model and currency = unit and day = on_day and slot = (
    select slot from revenue_day where pricing_model_id = model and currency = unit and day = on_day
    order by slot limit 1 for update skip locked);
  if not found then
    insert into revenue_day (pricing_model_id, organization_id, currency, day, slot, invoiced, paid, refunded)
    select id, organization_id, unit, on_day, nextval('total_slot'), more_invoiced, more_paid, more_refunded
    from pricing_model where id = model;
  end if;
end $$;
