-- Trigger function: refuses changes of the terms of a payment, and of its final status other than a refund.
create or replace function keep_payment()
returns trigger
language plpgsql as $$
begin
  raise exception 'payment % cannot go from % to %', old.id, old.status, new.status using errcode = 'check_violation';
end $$;
