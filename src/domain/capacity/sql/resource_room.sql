-- Returns the capacity that is left at each later change of a subscription: `room` for claims, and `free` of it after
-- the present claims. After a scheduled cancellation nothing is left.
create or replace function resource_room(of_subscription text, cancel_at timestamptz, of_resource text, now_at timestamptz)
returns table (at timestamptz, room bigint, free bigint)
language sql stable as $$
  select cancel_at, 0::bigint, 0::bigint where cancel_at > now_at
  union all
  select change.at, left_over.room,
    left_over.room - (
      select coalesce(sum(n.claimed), 0)::bigint from resource_claim_count n
      where n.subscription_id = of_subscription and n.resource_id = of_resource and n.expires_at > change.at)
  from (
      select v.at from subscription_item i, lateral (values (i.added_date), (i.expired_at)) as v(at)
      where i.subscription_id = of_subscription
      union
      select s.scheduled_adjustment_at from subscription s where s.id = of_subscription
    ) as change,
    lateral (
      select coalesce(
          planned_capacity(of_subscription, of_resource, change.at),
          (select c.capacity from resource_capacity(of_subscription, of_resource, change.at) as c))
        - (select coalesce(sum(v.quantity), 0)::bigint from reservation v
          where v.subscription_id = of_subscription and v.resource_id = of_resource
            and v.status = 'held' and v.expires_at > change.at) as room
    ) as left_over
  where change.at > now_at and (cancel_at is null or cancel_at <= now_at or change.at < cancel_at)
$$;
