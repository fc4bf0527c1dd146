-- Trigger function: subtracts a deleted payment from the totals. Runs before the deletion, since the refunds that are
-- deleted with the payment state their days.
create or replace function uncount_paid()
returns trigger
language plpgsql as $$
begin
  if old.status in ('succeeded', 'refunded') or old.reversed_at is not null then
    perform add_revenue(old.pricing_model_id, old.currency, coalesce(old.settlement_date, old.charge_date), 0, -old.amount, 0);
  end if;
  if old.reversed_at is not null then
    perform add_revenue(old.pricing_model_id, old.currency, old.reversed_at, 0, old.amount, 0);
  end if;
  perform add_revenue(old.pricing_model_id, old.currency, updated_at, 0, 0, -amount)
    from refund where payment_id = old.id and status = 'succeeded';
  return old;
end $$;
