-- Trigger function: adds a payment to the totals of the day on which it succeeds. A refund, and the amount of a lost
-- dispute, are added to the totals of their own day. A refund that fails later is subtracted on that day. A payment by
-- hand that is reversed is subtracted on the day of the reversal.
create or replace function count_paid()
returns trigger
language plpgsql as $$
declare
  before_refunded bigint := 0;
  before_reversed bigint := 0;
  was_paid boolean := false;
  is_paid boolean := new.status in ('succeeded', 'refunded');
begin
  if tg_op = 'UPDATE' then
    before_refunded := old.refunded_amount;
    before_reversed := old.reversed_amount;
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
  if is_paid and new.reversed_amount <> before_reversed then
    perform add_revenue(new.pricing_model_id, new.currency, coalesce(new.reversed_at, new.updated_at), 0, 0,
      new.reversed_amount - before_reversed);
  end if;
  return null;
end $$;
