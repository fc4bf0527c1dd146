-- Trigger function of receipts and their payments, at the end of a transaction: the payments amount to the receipt, and
-- they are canceled if it is reversed. Money that was not received pays nothing.
create or replace function check_remittance()
returns trigger
language plpgsql as $$
declare
  of_remittance text := case when tg_table_name = 'remittance' then new.id else to_jsonb(new) ->> 'remittance_id' end;
  receipt record;
  paid record;
begin
  select status, amount into receipt from remittance where id = of_remittance;
  if not found then
    return null;
  end if;
  select coalesce(sum(amount), 0) as amount,
    count(*) filter (where (status = 'canceled') <> (receipt.status = 'reversed')) as wrong
  into paid from payment where remittance_id = of_remittance;
  if paid.wrong > 0
    or paid.amount <> (case when receipt.status in ('received', 'reversed') then receipt.amount else 0 end) then
    raise exception 'remittance % of % is %, and its payments amount to %', of_remittance, receipt.amount, receipt.status,
      paid.amount using errcode = 'check_violation';
  end if;
  return null;
end $$;
