-- Trigger function: adds a payment to the totals of the day on which it succeeds, and a refund or a reversal to those
-- of its own day.
create or replace function count_paid()
returns trigger
language plpgsql as $$
declare
  before_refunded bigint := 0;
  was_paid boolean := false;
  is_paid boolean := new.status in ('succeeded', 'refunded');
begin
  if tg_op = 'UPDATE' then
    before_refunded := old.refunded_amount;
    was_paid := old.status in ('succeeded', 'refunded');
  end if;
  if is_paid and not was_paid then
    perform add_revenue(new.pricing_model_id, new.currency, coalesce(new.settlement_date, new.charge_date), 0, new.amount, 0);
  elsif was_paid and not is_paid then
    perform add_revenue(new.pricing_model_id, new.currency, coalesce(new.reversed_at, new.updated_at), 0, -new.amount, 0);
  end if;
  if new.refunded_amount <> before_refunded then
    perform add_revenue(new.pricing_model_id, new.currency, coalesce(new.refunded_at, new.updated_at), 0, 0,
      new.refunded_amount - before_refunded);
  end if;
  return null;
end $$;
