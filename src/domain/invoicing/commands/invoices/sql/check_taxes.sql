-- Trigger function: the tax of an invoice or credit note is the sum of its taxes, where it has a list of them.
create or replace function check_taxes()
returns trigger
language plpgsql as $$
declare
  listed numeric;
begin
  select coalesce(sum((each ->> 'amount')::numeric), 0) into listed from jsonb_array_elements(new.tax_lines) each;
  if listed <> new.tax_amount then
    raise exception 'the taxes of % sum up to %, not to %', new.id, listed, new.tax_amount
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
