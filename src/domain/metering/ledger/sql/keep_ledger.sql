-- Trigger function: refuses changes of ledger transactions. They are deleted only with their balance, when the customers
-- of a test clock are deleted.
create or replace function keep_ledger()
returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from usage_meter_balance where id = old.balance_id) then
    return old;
  end if;
  raise exception 'ledger transaction % stays as it was written', old.id using errcode = 'check_violation';
end $$;
