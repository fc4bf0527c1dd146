-- Trigger function: refuses changes of the terms of a price.
create or replace function keep_price_terms()
returns trigger
language plpgsql as $$
begin
  raise exception 'the terms of price % cannot change', old.id using errcode = 'check_violation';
end $$;
