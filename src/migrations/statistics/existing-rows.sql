-- The MRR of existing subscriptions, as far as their rows show it: from the start of each item, or the end of the trial,
-- until its end. A canceled subscription had MRR only if it was paid. Former prices and quantities are not stored.
insert into mrr_change (subscription_id, product_id, at, pricing_model_id, customer_id, currency, amount_before, amount_after)
with paying as (
  select s.id, s.pricing_model_id, s.customer_id, price.currency, price.product_id,
    greatest(s.created_at, s.start_date, s.trial_end) as began, coalesce(s.canceled_at, 'infinity') as ended,
    case s."interval" when 'day' then 2555 when 'week' then 365 when 'month' then 84 when 'year' then 7 else 0 end as parts,
    84 * coalesce(s.interval_count, 1) as whole
  from subscription s join price on price.id = s.price_id
  where not s.is_free_plan and not s.do_not_charge
    and (s.status in ('active', 'past_due', 'cancellation_scheduled', 'unpaid')
      or (s.status = 'canceled' and exists (
        select from payment where payment.subscription_id = s.id and payment.customer_id = s.customer_id
          and payment.status in ('succeeded', 'refunded'))))
), items as (
  select paying.*, coalesce(price.product_id, paying.product_id) as of_product,
    greatest(item.added_date, began) as from_at, least(coalesce(item.expired_at, 'infinity'), ended) as until_at,
    item.unit_price::numeric * item.quantity as amount
  from paying join subscription_item item on item.subscription_id = paying.id left join price on price.id = item.price_id
  where item.unit_price > 0
), steps as (
  select id, of_product, pricing_model_id, customer_id, currency, parts, whole, at, sum(by) as by
  from items, lateral (values (from_at, amount), (until_at, -amount)) as step (at, by)
  where from_at < until_at and at < 'infinity'
  group by 1, 2, 3, 4, 5, 6, 7, 8
), levels as (
  select *, round(sum(by) over before_it * parts / whole, 12) as amount,
    round((sum(by) over before_it - by) * parts / whole, 12) as earlier
  from steps window before_it as (partition by id, of_product order by at)
)
select id, of_product, at, pricing_model_id, customer_id, currency, earlier, amount from levels where earlier <> amount;

insert into mrr_movement (pricing_model_id, customer_id, currency, product_id, at, amount_before, amount_after, kind)
with changes as (
  select pricing_model_id, customer_id, currency, coalesce(product_id, '') as product_id, at,
    sum(amount_after - amount_before) as amount
  from mrr_change
  group by grouping sets ((pricing_model_id, customer_id, currency, product_id, at), (pricing_model_id, customer_id, currency, at))
  having sum(amount_after - amount_before) <> 0
), levels as (
  select *, sum(amount) over of_customer as amount_after, row_number() over of_customer > 1 as is_known
  from changes window of_customer as (partition by customer_id, currency, product_id order by at)
)
select pricing_model_id, customer_id, currency, product_id, at, amount_after - amount, amount_after,
  case
    when amount_after = 0 then 'churn'
    when amount_after > amount then case when amount > 0 then 'expansion' else 'contraction' end
    when is_known then 'reactivation'
    else 'new'
  end
from levels;

-- The first status of an existing subscription is unknown: its present one is shown from its creation, and a canceled
-- one as active until its end.
insert into subscription_status_change (subscription_id, at, pricing_model_id, status_before, status_after)
select id, created_at, pricing_model_id, null, case when canceled_at > created_at then 'active' else status end
from subscription
union all
select id, canceled_at, pricing_model_id, 'active', status from subscription where canceled_at > created_at;

-- The triggers that count these rows are still empty.
insert into statistic_day (pricing_model_id, series, product_id, day, currency, slot, count, amount)
select pricing_model_id, 'mrr_' || kind, product_id, (at at time zone 'UTC')::date, currency, 0, count(*),
  sum(amount_after - amount_before)
from mrr_movement group by 1, 2, 3, 4, 5
union all
select pricing_model_id, 'status_' || status, '', (at at time zone 'UTC')::date, '', 0, sum(more), 0
from subscription_status_change,
  lateral (values (status_after, 1), (status_before, -1)) as counted (status, more)
where status is not null
group by 1, 2, 4 having sum(more) <> 0;
