-- Trigger function: refuses changes of the amounts, customer and number of an invoice that is not a draft. The same for
-- the number, dates and terms of a document, which has no draft.
create or replace function keep_invoice()
returns trigger
language plpgsql as $$
begin
  raise exception 'invoice % is no draft any more', old.id using errcode = 'check_violation';
end $$;
