-- Records the MRR of a subscription from an instant on, by product: its level then, and the later changes that the
-- dates of its items plan. Changes before the instant stay. A trial, also one that is to be canceled, has no MRR. A
-- subscription that ends because its first payment failed has never had any. The writer has locked the customer, so its
-- changes follow each other.
create or replace function record_mrr(changed_id text, moment timestamptz)
returns void
language plpgsql as $$
declare
  agreed record;
  is_changed boolean;
  first_at timestamptz;
begin
  select s.organization_id, s.pricing_model_id, s.customer_id, s.currency, price.product_id,
      not s.is_free_plan and not s.do_not_charge and (s.status in ${payingStatuses} or s.status = 'paused' and s.pause_billing = 'keeps')
        and (s.trial_end is null or s.trial_end <= moment) as is_paying,
      coalesce(month_parts(s."interval"), 0) as parts, 84 * coalesce(s.interval_count, 1) as whole,
      s.status = 'canceled' and s.cancellation_reason = 'non_payment' and not exists (
        select from payment where payment.customer_id = s.customer_id and payment.subscription_id = s.id
          and payment.status in ('succeeded', 'refunded')) as was_never_paid
    into agreed
    from subscription s join price on price.id = s.price_id where s.id = changed_id;

  if agreed.was_never_paid then
    select min(at) into first_at from mrr_change where subscription_id = changed_id;
    if first_at is not null then
      delete from mrr_change where subscription_id = changed_id;
      perform record_mrr_movements(agreed.pricing_model_id, agreed.customer_id, agreed.currency, first_at);
      perform set_current_mrr(changed_id, moment);
    end if;
    return;
  end if;

  with planned as (
    select moment as at
    union select added_date from subscription_item
      where subscription_id = changed_id and added_date > moment and expired_at is distinct from added_date
    union select expired_at from subscription_item where subscription_id = changed_id and expired_at > moment
  ), active as (
    select planned.at, coalesce(price.product_id, agreed.product_id) as product_id,
      round(sum(coalesce(item.priced_amount, item.unit_price::numeric * item.quantity)) * agreed.parts / agreed.whole, 12) as amount
    from planned
      join subscription_item item on item.subscription_id = changed_id and item.added_date <= planned.at
        and (item.expired_at is null or item.expired_at > planned.at)
      left join price on price.id = item.price_id
    where agreed.is_paying and item.unit_price > 0
    group by 1, 2
  ), known as (
    select distinct on (product_id) product_id, amount_after from mrr_change
    where subscription_id = changed_id and at < moment order by product_id, at desc
  ), levels as (
    select at, product_id, coalesce(amount, 0) as amount,
      coalesce(lag(coalesce(amount, 0)) over (partition by product_id order by at), amount_after, 0) as amount_before
    from planned cross join (select product_id from known union select product_id from active) product
      left join active using (at, product_id) left join known using (product_id)
  ), wanted as (
    select * from levels where amount <> amount_before
  ), gone as (
    delete from mrr_change change where subscription_id = changed_id and at >= moment
      and not exists (select from wanted where wanted.at = change.at and wanted.product_id = change.product_id)
    returning at
  ), put as (
    insert into mrr_change as change (subscription_id, product_id, at, organization_id, pricing_model_id, customer_id,
      currency, amount_before, amount_after)
    select changed_id, product_id, at, agreed.organization_id, agreed.pricing_model_id, agreed.customer_id, agreed.currency, amount_before, amount
    from wanted
    on conflict (subscription_id, product_id, at) do update
      set amount_before = excluded.amount_before, amount_after = excluded.amount_after
      where (change.amount_before, change.amount_after) <> (excluded.amount_before, excluded.amount_after)
    returning at
  )
  select exists (select from gone) or exists (select from put) into is_changed;

  if is_changed then
    perform record_mrr_movements(agreed.pricing_model_id, agreed.customer_id, agreed.currency, moment);
    perform set_current_mrr(changed_id, moment);
  end if;
end $$;
