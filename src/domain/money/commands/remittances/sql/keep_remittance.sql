-- Trigger function: refuses changes of a receipt other than its reversal, changes of a status that is final, and its
-- deletion without its customer.
create or replace function keep_remittance()
returns trigger
language plpgsql as $$
begin
  raise exception 'remittance % is % and does not change', old.id, old.status using errcode = 'check_violation';
end $$;
