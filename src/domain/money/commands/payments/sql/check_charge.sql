-- Trigger function of the payments of one charge, at the end of a transaction: they are of one customer, payment method
-- and currency, amount to what the processor was asked for, and are decided together.
create or replace function check_charge()
returns trigger
language plpgsql as $$
declare
  charged payment%rowtype;
  parts record;
begin
  select * into charged from payment where id = coalesce(new.charged_with_id, new.id);
  if not found then
    return null;
  end if;
  select coalesce(sum(amount), 0) as amount,
    count(*) filter (where (customer_id, currency, payment_method_id, processor)
      is distinct from (charged.customer_id, charged.currency, charged.payment_method_id, charged.processor)) as foreign_ones,
    count(*) filter (where (case status when 'refunded' then 'succeeded' else status end)
      <> (case charged.status when 'refunded' then 'succeeded' else charged.status end)) as other_ones
  into parts from payment where charged_with_id = charged.id;
  if charged.charged_with_id is not null or parts.amount + charged.amount is distinct from charged.charge_amount
    or parts.foreign_ones > 0 or parts.other_ones > 0 then
    raise exception 'the charge of payment % is of %, and its payments amount to %', charged.id, charged.charge_amount,
      parts.amount + charged.amount using errcode = 'check_violation';
  end if;
  return null;
end $$;
