-- Trigger function: refuses changes of a logo, which finalized invoices show.
create or replace function keep_logo()
returns trigger
language plpgsql as $$
begin
  raise exception 'the logo % never changes', old.id using errcode = 'check_violation';
end $$;
