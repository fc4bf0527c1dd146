-- Trigger function: a redemption that is deleted with its customer counts no more.
create or replace function forget_redemption()
returns trigger
language plpgsql as $$
begin
  update discount set redemption_count = redemption_count - 1 where id = old.discount_id;
  return null;
end $$;
