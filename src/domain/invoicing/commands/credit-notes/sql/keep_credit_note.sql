-- Trigger function: refuses changes of a credit note other than of its settlement, and its deletion without its customer.
create or replace function keep_credit_note()
returns trigger
language plpgsql as $$
begin
  raise exception 'a credit note does not change: %', old.id using errcode = 'check_violation';
end $$;
