-- Returns how many units of a resource a subscription has claimed and reserved at an instant.
create or replace function resource_use(of_subscription text, of_resource text, now_at timestamptz)
returns table (claimed bigint, reserved bigint)
language sql stable as $$
  select
    (select coalesce(sum(c.claimed), 0)::bigint from resource_claim_count c
      where c.subscription_id = of_subscription and c.resource_id = of_resource and c.expires_at > now_at),
    (select coalesce(sum(r.quantity), 0)::bigint from reservation r
      where r.subscription_id = of_subscription and r.resource_id = of_resource
        and r.status = 'held' and r.expires_at > now_at)
$$;
