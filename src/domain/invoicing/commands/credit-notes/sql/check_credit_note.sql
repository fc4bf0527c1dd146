-- Trigger function, at the end of a transaction: a credit note is the sum of its lines and their tax, its lines are
-- those of its invoice and do not exceed them, and the numbers of its customer have no gap.
create or replace function check_credit_note()
returns trigger
language plpgsql as $$
declare
  noted record;
  numbered record;
  exceeded text;
begin
  select sum(amount) as amount, sum(tax_amount) as tax into noted from credit_note_line where credit_note_id = new.id;
  if (noted.amount, noted.tax) is distinct from (new.subtotal, new.tax_amount) then
    raise exception 'the lines of credit note % sum up to % with % of tax', new.id, noted.amount, noted.tax
      using errcode = 'check_violation';
  end if;
  select min(item.id) into exceeded from credit_note_line line
  join invoice_line_item item on item.id = line.invoice_line_item_id
  where line.credit_note_id = new.id and (item.invoice_id <> new.invoice_id or item.amount > 0 and item.amount < (
    select sum(other.amount) from credit_note_line other join credit_note on credit_note.id = other.credit_note_id
    where other.invoice_line_item_id = item.id and credit_note.status <> 'failed'));
  if exceeded is not null then
    raise exception 'credit note % exceeds line % of its invoice', new.id, exceeded using errcode = 'check_violation';
  end if;
  select customer.credit_note_count as taken, count(*) as written into numbered
  from customer join credit_note on credit_note.customer_id = customer.id where customer.id = new.customer_id
  group by customer.id;
  if found and numbered.taken <> numbered.written then
    raise exception 'credit note % leaves a gap: % numbers for % documents', new.id, numbered.taken, numbered.written
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
