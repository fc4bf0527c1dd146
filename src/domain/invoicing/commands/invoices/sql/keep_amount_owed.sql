-- Trigger function of invoices and payments: computes the amounts that their customers owe on payable invoices, once
-- for all rows of a statement. The customers are locked first, in one order, so that the sums contain what transactions
-- before have committed.
create or replace function keep_amount_owed()
returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
declare
  ids text[];
begin
  if tg_table_name = 'invoice' then
    if tg_op = 'INSERT' then
      ids := array(select distinct customer_id from added where status in ${payableStatuses});
    elsif tg_op = 'DELETE' then
      ids := array(select distinct customer_id from removed where status in ${payableStatuses});
    else
      ids := array(select distinct added.customer_id from added join removed using (id)
        where (added.status in ${payableStatuses} or removed.status in ${payableStatuses})
          and (removed.status in ${payableStatuses}, removed.total, removed.credit_applied, removed.amount_waived,
              removed.customer_id)
            is distinct from (added.status in ${payableStatuses}, added.total, added.credit_applied,
              added.amount_waived, added.customer_id));
    end if;
  elsif tg_op = 'INSERT' then
    ids := array(select distinct customer_id from added where status in ('succeeded', 'refunded'));
  elsif tg_op = 'DELETE' then
    ids := array(select distinct customer_id from removed where status in ('succeeded', 'refunded'));
  else
    ids := array(select distinct added.customer_id from added join removed using (id)
      where (removed.status in ('succeeded', 'refunded') or added.status in ('succeeded', 'refunded'))
        and (removed.status, removed.refunded_amount, removed.credited_amount, removed.reversed_amount)
          is distinct from (added.status, added.refunded_amount, added.credited_amount, added.reversed_amount));
  end if;
  if cardinality(ids) = 0 then return null; end if;
  perform 1 from customer where id = any (ids) order by id for no key update;
  update customer set amount_owed = owed.amount
  from (
    select wanted.id, coalesce(sum(total - credit_applied - amount_waived - coalesce(received.amount, 0)), 0) as amount
    from customer wanted
      left join invoice on invoice.pricing_model_id = wanted.pricing_model_id and invoice.customer_id = wanted.id
        and invoice.status in ${payableStatuses}
      left join lateral (
        select sum(amount - refunded_amount - credited_amount - reversed_amount) as amount from payment
        where invoice_id = invoice.id and payment.status in ('succeeded', 'refunded')) received on true
    where wanted.id = any (ids)
    group by wanted.id) owed
  where customer.id = owed.id and customer.amount_owed <> owed.amount;
  return null;
end $$;
