-- Returns the capacity of a resource after the scheduled adjustment of a subscription; null when none is scheduled by then.
-- It is what the adjustment grants, plus features that were added by hand and that it does not grant itself.
create or replace function planned_capacity(of_subscription text, of_resource text, then_at timestamptz)
returns bigint
language sql stable as $$
  select least(${largestInteger},
    coalesce((
      select sum(g.amount)
      from jsonb_to_recordset(s.scheduled_adjustment->'granted')
        as g ("resourceId" text, "featureId" text, amount bigint, until bigint)
      where g."resourceId" = of_resource and (g.until is null or to_timestamp(g.until / 1000.0) > then_at)), 0)
    + coalesce((
      select sum(f.amount)
      from subscription_item_feature f join subscription_item i on i.id = f.subscription_item_id
      where f.subscription_id = of_subscription and f.resource_id = of_resource
        and (f.expired_at is null or f.expired_at > then_at)
        and i.added_date <= then_at and (i.expired_at is null or i.expired_at > then_at)
        and (i.manually_created or i.price_id is null)
        and not s.scheduled_adjustment->'granted'
          @> jsonb_build_array(jsonb_build_object('featureId', f.feature_id))), 0))::bigint
  from subscription s
  where s.id = of_subscription and s.scheduled_adjustment_at <= then_at and s.scheduled_adjustment->'granted' is not null
$$;
