-- Trigger function: adds an invoice to the totals of its date, from when it is opened until it is voided.
create or replace function count_invoiced()
returns trigger
language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status not in ('draft', 'void') then
    perform add_revenue(old.pricing_model_id, old.currency, old.invoice_date, -old.total, 0, 0);
  end if;
  if tg_op <> 'DELETE' and new.status not in ('draft', 'void') then
    perform add_revenue(new.pricing_model_id, new.currency, new.invoice_date, new.total, 0, 0);
  end if;
  return null;
end $$;
