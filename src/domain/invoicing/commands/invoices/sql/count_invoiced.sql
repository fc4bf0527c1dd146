-- Trigger function: adds an invoice to the totals of its date, from when it is opened until it is voided. One that buys
-- prepaid credit is not added, since the invoices that the credit pays are the revenue. The invoices that a statement
-- inserts are added together, since each change of one total is another version of its row.
create or replace function count_invoiced()
returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_revenue(pricing_model_id, currency, min(invoice_date), sum(total)::bigint, 0, 0)
    from added where status not in ('draft', 'void') and prepaid_credit_id is null
    group by pricing_model_id, currency, (invoice_date at time zone 'UTC')::date;
    return null;
  end if;
  if old.prepaid_credit_id is not null then
    return null;
  end if;
  if old.status not in ('draft', 'void') then
    perform add_revenue(old.pricing_model_id, old.currency, old.invoice_date, -old.total, 0, 0);
  end if;
  if tg_op = 'UPDATE' and new.status not in ('draft', 'void') then
    perform add_revenue(new.pricing_model_id, new.currency, new.invoice_date, new.total, 0, 0);
  end if;
  return null;
end $$;
