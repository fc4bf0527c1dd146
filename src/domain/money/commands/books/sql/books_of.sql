-- The books of customers, per currency: sums in minor units. The guide "Books" defines each of them.
create or replace function books_of(customers text[])
returns table (customer_id text, currency text, invoices bigint, credit_notes bigint, opening bigint,
  prepaid bigint, payments bigint, refunds bigint, outstanding bigint, balances bigint)
language sql stable as $$
  with received as (
    select p.invoice_id, sum(p.amount) as amount, sum(p.refunded_amount + p.reversed_amount) as refunded,
      sum(p.credited_amount) as credited
    from payment p where p.customer_id = any (customers) and p.status in ('succeeded', 'refunded') group by 1),
  entry (customer_id, currency, invoices, credit_notes, opening, prepaid, payments, refunds, outstanding, balances) as (
    select i.customer_id, i.currency,
      case when i.status not in ('draft', 'void') then i.total else 0 end,
      -- An amount that was written off before there were credit notes has none.
      case when i.is_undocumented and i.status = 'uncollectible' then i.total - i.credit_applied else 0 end,
      0, 0, coalesce(r.amount, 0), coalesce(r.refunded, 0),
      case when i.status in ${payableStatuses}
        then i.total - i.credit_applied - i.amount_waived - coalesce(r.amount - r.refunded - r.credited, 0) else 0 end,
      0
    from invoice i left join received r on r.invoice_id = i.id
    where i.customer_id = any (customers)
    union all
    select n.customer_id, n.currency, 0, n.refunded_amount + n.credited_amount + n.written_off_amount, 0, 0, 0, 0, 0, 0
    from credit_note n join invoice i on i.id = n.invoice_id
    where n.customer_id = any (customers) and i.status not in ('draft', 'void')
    union all
    select f.customer_id, p.currency, 0,
      case when f.is_undocumented and f.status = 'succeeded' then f.amount else 0 end, 0, 0, 0, 0, 0,
      case when f.status in ('pending', 'requires_action') then -f.from_balance else 0 end
    from refund f join payment p on p.id = f.payment_id
    where f.customer_id = any (customers) and (f.is_undocumented or f.status in ('pending', 'requires_action'))
    union all
    select o.customer_id, o.currency, 0, 0, o.amount, 0, 0, 0, 0, 0
    from book_opening o where o.customer_id = any (customers)
    union all
    select p.customer_id, p.currency, 0, 0, 0, p.amount - p.expired - p.revoked, 0, 0, 0, 0
    from prepaid_credit p where p.customer_id = any (customers) and p.granted_at is not null
    union all
    select c.id, coalesce(c.currency, o.currency), 0, 0, 0, 0, 0, 0, 0, -c.credit_balance - c.prepaid_balance
    from customer c join organization o on o.id = c.organization_id
    where c.id = any (customers))
  select customer_id, currency, sum(invoices)::bigint, sum(credit_notes)::bigint, sum(opening)::bigint,
    sum(prepaid)::bigint, sum(payments)::bigint, sum(refunds)::bigint, sum(outstanding)::bigint, sum(balances)::bigint
  from entry group by customer_id, currency order by customer_id, currency
$$;
