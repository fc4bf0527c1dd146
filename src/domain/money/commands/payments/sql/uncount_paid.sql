-- Trigger function: subtracts a deleted payment from the totals. Runs before the deletion, since the refunds that are
-- deleted with the payment state their days.
create or replace function uncount_paid()
returns trigger
language plpgsql as $$
declare
  is_canceled boolean := old.status = 'canceled' and old.reversed_amount > 0;
begin
  if old.status in ('succeeded', 'refunded') or is_canceled then
    perform add_revenue(old.pricing_model_id, old.currency, coalesce(old.settlement_date, old.charge_date), 0, -old.amount, 0);
  end if;
  if is_canceled then
    perform add_revenue(old.pricing_model_id, old.currency, old.reversed_at, 0, old.amount, 0);
  elsif old.reversed_amount > 0 then
    perform add_revenue(old.pricing_model_id, old.currency, old.reversed_at, 0, 0, -old.reversed_amount);
  end if;
  perform add_revenue(old.pricing_model_id, old.currency, settled_at, 0, 0, -amount)
    from refund where payment_id = old.id and settled_at is not null;
  perform add_revenue(old.pricing_model_id, old.currency, failed_at, 0, 0, amount)
    from refund where payment_id = old.id and settled_at is not null and failed_at is not null;
  return old;
end $$;
