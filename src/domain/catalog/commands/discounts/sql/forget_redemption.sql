-- Trigger function: a redemption that is released, or deleted with its customer, counts no more.
create or replace function forget_redemption()
returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' or old.released_at is null then
    update discount set redemption_count = redemption_count - 1 where id = old.discount_id;
  end if;
  return null;
end $$;
