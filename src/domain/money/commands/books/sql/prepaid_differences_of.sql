-- The amounts by which balances, prepaid credits and invoices of customers differ from each other, per currency: sums in
-- minor units without a sign, so that two errors cannot hide each other. Customers without a difference have no row.
create or replace function prepaid_differences_of(customers text[])
returns table (customer_id text, currency text, difference bigint)
language sql stable as $$
  with part (customer_id, currency, difference) as (
    select c.id, c.currency, abs(c.prepaid_balance - (
      select coalesce(sum(p.remaining), 0) from prepaid_credit p where p.customer_id = c.id))
    from customer c where c.id = any (customers)
    union all
    select p.customer_id, p.currency, abs(p.used - (
      select coalesce(sum(u.amount - u.returned), 0) from prepaid_credit_use u where u.credit_id = p.id))
    from prepaid_credit p where p.customer_id = any (customers)
    union all
    select i.customer_id, i.currency, abs(i.prepaid_applied - (
      select coalesce(sum(u.amount), 0) from prepaid_credit_use u where u.invoice_id = i.id))
    from invoice i where i.customer_id = any (customers)
      and (i.prepaid_applied > 0 or exists (select from prepaid_credit_use u where u.invoice_id = i.id)))
  select customer_id, currency, sum(difference)::bigint from part group by 1, 2 having sum(difference) > 0
$$;
