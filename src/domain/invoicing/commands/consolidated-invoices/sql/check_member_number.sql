-- Trigger function: refuses an invoice of a document whose number is not that of the document with `-1`, `-2` and so on.
create or replace function check_member_number()
returns trigger
language plpgsql as $$
declare
  document constant text := (select invoice_number from consolidated_invoice where id = new.consolidated_invoice_id);
begin
  if substr(new.invoice_number, 1, length(document)) is distinct from document
    or substr(new.invoice_number, length(document) + 1) !~ '^-[1-9][0-9]*$' then
    raise exception 'invoice number % is none of document %', new.invoice_number, document using errcode = 'check_violation';
  end if;
  return new;
end $$;
