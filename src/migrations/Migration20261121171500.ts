import { Migration } from '@mikro-orm/migrations';

// While an adjustment is being paid for, what it will not leave room for cannot be claimed any more.
const capacityAfterPayment = (resource: string) => `coalesce((
    select coalesce((b.adjustment->'capacities'->>${resource})::bigint, 0) from billing_run b
    where b.subscription_id = of_subscription and b.is_adjustment = true
      and b.status in ('scheduled', 'started', 'awaiting_payment_confirmation')
      and b.adjustment->'capacities' is not null), 9007199254740991)`;

const activeAt = (instant: string) => `(f.expired_at is null or f.expired_at > ${instant})
        and i.added_date <= ${instant} and (i.expired_at is null or i.expired_at > ${instant})`;

/** How much of a resource a subscription has, now and when its items will have changed. */
export class Migration20261121171500 extends Migration {
  override up() {
    this.addSql(`create function resource_capacity(of_subscription text, of_resource text, instant timestamptz)
returns table (features bigint, capacity bigint) language sql stable as $$
  select count(*), least(coalesce(sum(f.amount) filter (where ${activeAt('instant')}), 0),
    ${capacityAfterPayment('of_resource')})::bigint
  from subscription_item_feature f join subscription_item i on i.id = f.subscription_item_id
  where f.subscription_id = of_subscription and f.resource_id = of_resource
$$`);

    // What its items grant by then, as a scheduled adjustment makes them, and beside them what was added by hand.
    this.addSql(`create function planned_capacity(of_subscription text, of_resource text, then_at timestamptz)
returns bigint language sql stable as $$
  select least(9007199254740991,
    coalesce((select sum(g.amount) from jsonb_to_recordset(s.scheduled_adjustment->'granted')
        as g ("resourceId" text, "featureId" text, amount bigint, until bigint)
      where g."resourceId" = of_resource and (g.until is null or to_timestamp(g.until / 1000.0) > then_at)), 0)
    + coalesce((select sum(f.amount) from subscription_item_feature f join subscription_item i on i.id = f.subscription_item_id
      where f.subscription_id = of_subscription and f.resource_id = of_resource and ${activeAt('then_at')}
        and (i.manually_created or i.price_id is null)
        and not s.scheduled_adjustment->'granted' @> jsonb_build_array(jsonb_build_object('featureId', f.feature_id))), 0))::bigint
  from subscription s
  where s.id = of_subscription and s.scheduled_adjustment_at <= then_at and s.scheduled_adjustment->'granted' is not null
$$`);

    // How a resource stands with a subscription; no row for an unknown slug. It moves when items are to change.
    this.addSql(`create function resource_standing(of_subscription text, model text, wanted_slug text, now_at timestamptz)
returns table (resource text, features bigint, capacity bigint, moving boolean, claimed bigint, reserved bigint)
language sql stable as $$
  select r.id, granted.features, granted.capacity,
    granted.moving or (select s.scheduled_adjustment_at > now_at from subscription s where s.id = of_subscription),
    (select coalesce(sum(c.claimed), 0)::bigint from resource_claim_count c
      where c.subscription_id = of_subscription and c.resource_id = r.id and c.expires_at > now_at),
    (select coalesce(sum(v.quantity), 0)::bigint from reservation v
      where v.subscription_id = of_subscription and v.resource_id = r.id
        and v.status = 'held' and v.expires_at > now_at)
  from resource r, lateral (
    select count(*) as features, least(coalesce(sum(f.amount) filter (where ${activeAt('now_at')}), 0),
      ${capacityAfterPayment('r.id')})::bigint
      as capacity, bool_or(i.added_date > now_at or i.expired_at > now_at) as moving
    from subscription_item_feature f join subscription_item i on i.id = f.subscription_item_id
    where f.subscription_id = of_subscription and f.resource_id = r.id) as granted
  where r.pricing_model_id = model and r.slug = wanted_slug
$$`);

    // Whatever a change of items that is to come has no room for ends with it: at which dates, how many claims
    // there is room for, and how many of these are free. What is reserved for longer has its room already.
    this.addSql(`create function resource_room(of_subscription text, cancel_at timestamptz, of_resource text, now_at timestamptz)
returns table (at timestamptz, room bigint, free bigint) language sql stable as $$
  select cancel_at, 0::bigint, 0::bigint where cancel_at > now_at
  union all
  select change.at, left_over.room, left_over.room - (select coalesce(sum(n.claimed), 0)::bigint from resource_claim_count n
      where n.subscription_id = of_subscription and n.resource_id = of_resource and n.expires_at > change.at)
  from (
      select v.at from subscription_item i, lateral (values (i.added_date), (i.expired_at)) as v(at)
        where i.subscription_id = of_subscription
      union
      select s.scheduled_adjustment_at from subscription s where s.id = of_subscription
    ) as change,
    lateral (select coalesce(planned_capacity(of_subscription, of_resource, change.at),
        (select c.capacity from resource_capacity(of_subscription, of_resource, change.at) as c))
      - (select coalesce(sum(v.quantity), 0)::bigint from reservation v
          where v.subscription_id = of_subscription and v.resource_id = of_resource
            and v.status = 'held' and v.expires_at > change.at) as room) as left_over
  where change.at > now_at and (cancel_at is null or cancel_at <= now_at or change.at < cancel_at)
$$`);
  }
}
