-- Trigger function: refuses an item whose price is in another currency than its subscription. A free price fits every
-- currency.
create or replace function keep_item_currency()
returns trigger
language plpgsql as $$
declare
  mismatch record;
begin
  select price.id, price.currency as of_price, subscription.currency as of_subscription into mismatch
  from price, subscription
  where price.id = new.price_id and subscription.id = new.subscription_id
    and price.unit_price > 0 and price.currency <> subscription.currency;
  if found then
    raise exception 'the price % is in %, and its subscription is in %', mismatch.id, mismatch.of_price,
      mismatch.of_subscription using errcode = 'check_violation';
  end if;
  return new;
end $$;
