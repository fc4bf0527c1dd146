-- Triggers need their functions, which are applied from their files after the migrations. Until then they are empty.
do $$
declare
  name text;
begin
  foreach name in array array[
    'count_rows', 'count_resource_claims', 'count_invoiced', 'count_paid', 'uncount_paid', 'announce_events',
    'announce_delivery', 'split_origin', 'keep_invoice', 'keep_payment', 'keep_price_terms', 'keep_ledger'
  ] loop
    execute format('create function %I() returns trigger language plpgsql as %L', name, 'begin return new; end');
  end loop;
end $$;

-- Every tenant table is counted.
do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'api_key', 'billing_period', 'billing_run', 'customer', 'feature', 'invoice', 'invoice_line_item', 'payment',
    'payment_method', 'price', 'product', 'product_feature', 'refund', 'reservation', 'resource', 'resource_claim',
    'subscription', 'subscription_item', 'subscription_item_feature', 'test_clock', 'usage_credit', 'usage_event',
    'usage_meter', 'usage_meter_balance', 'webhook'
  ] loop
    execute format('create trigger count_added after insert on %I referencing new table as added
      for each statement execute function count_rows()', tenant_table);
    execute format('create trigger count_removed after delete on %I referencing old table as removed
      for each statement execute function count_rows()', tenant_table);
  end loop;
end $$;

-- The feed and webhook deliveries.
create trigger announced after insert on event for each statement execute function announce_events();
create trigger origin before insert on event for each row
  when (new.cause_id like '% %') execute function split_origin();
create trigger announced_new after insert on webhook_delivery for each row execute function announce_delivery();
create trigger announced_changed after update on webhook_delivery for each row
  when ((old.status, old.attempts, old.attempt_count) is distinct from (new.status, new.attempts, new.attempt_count))
  execute function announce_delivery();

-- Records that never change.
create trigger terms_kept before update on price for each row
  when ((old.type, old.unit_price, old.currency, old.interval_unit, old.interval_count, old.trial_period_days,
    old.usage_events_per_unit, old.product_id, old.usage_meter_id)
    is distinct from (new.type, new.unit_price, new.currency, new.interval_unit, new.interval_count,
    new.trial_period_days, new.usage_events_per_unit, new.product_id, new.usage_meter_id))
  execute function keep_price_terms();
create trigger payment_kept before update on payment for each row
  when ((old.status in ('failed', 'canceled', 'refunded') and new.status <> old.status)
    or (old.status = 'succeeded' and new.status not in ('succeeded', 'refunded'))
    or (old.amount, old.currency, old.invoice_id, old.idempotency_key)
      is distinct from (new.amount, new.currency, new.invoice_id, new.idempotency_key)
    or new.refunded_amount < old.refunded_amount)
  execute function keep_payment();
create trigger invoice_kept before update on invoice for each row
  when (old.status <> 'draft'
    and ((old.subtotal, old.tax_amount, old.total, old.currency, old.customer_id, old.invoice_number)
      is distinct from (new.subtotal, new.tax_amount, new.total, new.currency, new.customer_id, new.invoice_number)
      or new.status = 'draft'))
  execute function keep_invoice();
create trigger ledger_kept before update or delete on ledger_transaction for each row execute function keep_ledger();

-- Totals of each day.
create trigger revenue_added after insert on invoice for each row
  when (new.status not in ('draft', 'void')) execute function count_invoiced();
create trigger revenue_changed after update on invoice for each row
  when ((old.status in ('draft', 'void')) <> (new.status in ('draft', 'void'))
    or (old.status not in ('draft', 'void') and (old.total, old.currency, old.invoice_date)
      is distinct from (new.total, new.currency, new.invoice_date)))
  execute function count_invoiced();
create trigger revenue_removed after delete on invoice for each row
  when (old.status not in ('draft', 'void')) execute function count_invoiced();
create trigger revenue_added after insert on payment for each row
  when (new.status in ('succeeded', 'refunded') or new.refunded_amount > 0) execute function count_paid();
create trigger revenue_changed after update on payment for each row
  when (old.status <> new.status or old.refunded_amount <> new.refunded_amount) execute function count_paid();
create trigger revenue_removed before delete on payment for each row execute function uncount_paid();

-- Unreleased claims.
create trigger claims_added after insert on resource_claim referencing new table as added
  for each statement execute function count_resource_claims();
create trigger claims_changed after update on resource_claim referencing old table as removed new table as added
  for each statement execute function count_resource_claims();
create trigger claims_removed after delete on resource_claim referencing old table as removed
  for each statement execute function count_resource_claims();
