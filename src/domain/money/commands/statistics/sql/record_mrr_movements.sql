-- Derives the movements of a customer from an instant on, from the changes of all its subscriptions in one currency: for
-- each product, and for all of them together. The writer has locked the customer.
create or replace function record_mrr_movements(model text, mover text, unit text, moment timestamptz)
returns void
language plpgsql as $$
begin
  delete from mrr_movement where customer_id = mover and currency = unit and at >= moment;
  insert into mrr_movement (organization_id, pricing_model_id, customer_id, currency, product_id, at, amount_before, amount_after, kind)
  with changes as (
    select coalesce(product_id, '') as product_id, at, sum(amount_after - amount_before) as amount
    from mrr_change where customer_id = mover and currency = unit and at >= moment
    group by grouping sets ((product_id, at), (at)) having sum(amount_after - amount_before) <> 0
  ), known as (
    select distinct on (product_id) product_id, amount_after from mrr_movement
    where customer_id = mover and currency = unit order by product_id, at desc
  ), levels as (
    select product_id, at, changes.amount, known.product_id is not null or row_number() over each_product > 1 as is_known,
      coalesce(known.amount_after, 0) + sum(changes.amount) over each_product as amount_after
    from changes left join known using (product_id)
    window each_product as (partition by product_id order by at)
  )
  select (select organization_id from pricing_model where id = model), model, mover, unit, product_id, at, amount_after - amount, amount_after,
    case
      when amount_after = 0 then 'churn'
      when amount_after > amount then case when amount > 0 then 'expansion' else 'contraction' end
      when is_known then 'reactivation'
      else 'new'
    end
  from levels;
end $$;
