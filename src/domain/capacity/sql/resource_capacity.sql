-- Returns how many features grant a resource to a subscription, the capacity at an instant, and whether an item that
-- grants it begins or ends later. A running adjustment limits the capacity to the one after it.
create or replace function resource_capacity(of_subscription text, of_resource text, instant timestamptz)
returns table (features bigint, capacity bigint, changing boolean)
language sql stable as $$
  select count(*),
    least(
      coalesce(sum(f.amount) filter (where (f.expired_at is null or f.expired_at > instant)
        and i.added_date <= instant and (i.expired_at is null or i.expired_at > instant)), 0),
      coalesce((
        select coalesce((b.adjustment->'capacities'->>of_resource)::bigint, 0) from billing_run b
        where b.subscription_id = of_subscription and b.purpose = 'adjustment' and b.status in ${openRunStatuses}
          and b.adjustment->'capacities' is not null), ${largestInteger}))::bigint,
    bool_or(i.added_date > instant or i.expired_at > instant)
  from subscription_item_feature f join subscription_item i on i.id = f.subscription_item_id
  where f.subscription_id = of_subscription and f.resource_id = of_resource
$$;
