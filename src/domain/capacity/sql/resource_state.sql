-- Returns the state of a resource for a subscription at an instant: how many features grant it, the capacity, whether
-- a scheduled change alters the capacity later, and how much is claimed and reserved.
create or replace function resource_state(of_subscription text, model text, wanted_slug text, now_at timestamptz)
returns table (resource text, features bigint, capacity bigint, changing boolean, claimed bigint, reserved bigint)
language sql stable as $$
  select r.id, granted.features, granted.capacity,
    granted.changing or (select s.scheduled_adjustment_at > now_at from subscription s where s.id = of_subscription),
    used.claimed, used.reserved
  from resource r,
    lateral resource_capacity(of_subscription, r.id, now_at) as granted,
    lateral resource_use(of_subscription, r.id, now_at) as used
  where r.pricing_model_id = model and r.slug = wanted_slug
$$;
