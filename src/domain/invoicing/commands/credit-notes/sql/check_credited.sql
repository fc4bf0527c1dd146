-- Trigger function, at the end of a transaction: the sums on an invoice are those of its credit notes. Refunds
-- that the balance has paid, since credit notes had returned their amounts, are waived, too. Constraints of the invoice limit the sums.
create or replace function check_credited()
returns trigger
language plpgsql as $$
declare
  of_invoice text := case when tg_table_name = 'invoice' then new.id else to_jsonb(new) ->> 'invoice_id' end;
  invoiced record;
  noted record;
begin
  select amount_credited, tax_credited, amount_waived into invoiced from invoice where id = of_invoice;
  if not found then
    return null;
  end if;
  select coalesce(sum(total), 0) as total, coalesce(sum(tax_amount), 0) as tax,
    coalesce(sum(refunded_amount + written_off_amount), 0) as waived,
    coalesce(sum(credited_amount + set_off_amount), 0) as returned
  into noted from credit_note where invoice_id = of_invoice and status <> 'failed';
  if (invoiced.amount_credited, invoiced.tax_credited) is distinct from (noted.total, noted.tax)
    or invoiced.amount_waived not between noted.waived and noted.waived + noted.returned then
    raise exception 'the credit notes of invoice % sum up to % with % of tax, of which % is waived', of_invoice,
      noted.total, noted.tax, noted.waived using errcode = 'check_violation';
  end if;
  return null;
end $$;
