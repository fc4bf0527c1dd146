-- Trigger function: refuses to move a dispute to another payment or customer, and to an earlier status.
create or replace function keep_dispute()
returns trigger
language plpgsql as $$
begin
  raise exception 'dispute % cannot go from % to %', old.id, old.status, new.status using errcode = 'check_violation';
end $$;
