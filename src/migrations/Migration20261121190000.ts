import { Migration } from '@mikro-orm/migrations';

// While an adjustment is being paid for, what it will not leave room for cannot be claimed any more.
const capacityAfterPayment = (resource: string) => `coalesce((
    select coalesce((b.adjustment->'capacities'->>${resource})::bigint, 0) from billing_run b
    where b.subscription_id = of_subscription and b.is_adjustment = true
      and b.status in ('scheduled', 'started', 'awaiting_payment_confirmation')
      and b.adjustment->'capacities' is not null), 9007199254740991)`;

const activeAt = (instant: string) => `(f.expired_at is null or f.expired_at > ${instant})
        and i.added_date <= ${instant} and (i.expired_at is null or i.expired_at > ${instant})`;

/**
 * How much of a resource a subscription has, now and when its items will have changed; and which of several claims
 * of one instant is the oldest.
 */
export class Migration20261121190000 extends Migration {
  override up() {
    this.addSql(`alter table resource_claim add column if not exists position bigserial`);
    this.addSql(`drop index resource_claim_unreleased`);
    this.addSql(`create index "resource_claim_unreleased" on "resource_claim" ("subscription_id", "resource_id", "external_id", "claimed_at", "position") where "released_at" is null;`);

    // Their arguments or answers are other ones than before.
    this.addSql(`drop function if exists resource_capacity(text, text, timestamptz, timestamptz)`);
    this.addSql(`drop function if exists resource_room(text, timestamptz, text, timestamptz)`);

    this.addSql(`create or replace function resource_capacity(of_subscription text, of_resource text, instant timestamptz)
returns table (features bigint, capacity bigint) language sql stable as $$
  select count(*), least(coalesce(sum(f.amount) filter (where ${activeAt('instant')}), 0),
    ${capacityAfterPayment('of_resource')})::bigint
  from subscription_item_feature f join subscription_item i on i.id = f.subscription_item_id
  where f.subscription_id = of_subscription and f.resource_id = of_resource
$$`);

    // What its items grant by then, as a scheduled adjustment makes them, and beside them what was added by hand.
    this.addSql(`create or replace function planned_capacity(of_subscription text, of_resource text, then_at timestamptz)
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
    this.addSql(`create or replace function resource_standing(of_subscription text, model text, wanted_slug text, now_at timestamptz)
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

    this.addSql(`create or replace function release_resource(of_subscription text, model text, wanted_slug text, now_at timestamptz,
  wanted bigint, wanted_names jsonb, wanted_ids jsonb, largest bigint, cause text)
returns table (outcome text, detail text, resource text, capacity bigint, claimed bigint, reserved bigint,
  claims jsonb) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  held record;
  instant timestamptz;
  picked tid[];
begin
  select * into held from hold_subscription(of_subscription, model, now_at);
  instant := held.instant;
  outcome := case
    when instant is null then 'unknown subscription'
    when held.due_at <= instant then 'due' end;
  if outcome is not null then return next; return; end if;
  select s.resource, s.capacity, s.claimed, s.reserved into resource, capacity, claimed, reserved
    from resource_standing(held.id, model, wanted_slug, instant) as s;
  outcome := 'unknown resource';
  if not found then return next; return; end if;

  if wanted is not null then
    picked := array(
      select c.ctid from resource_claim c where c.subscription_id = held.id and c.resource_id = resource
        and c.released_at is null and c.external_id is null and (c.expired_at is null or c.expired_at > instant)
      order by c.external_id, c.claimed_at, c.position limit least(wanted, largest + 1));
    outcome := case
      when cardinality(picked) > largest then 'too many'
      when cardinality(picked) < wanted then 'too few' end;
    detail := cardinality(picked);
  else
    select array_agg(found.row), (array_agg(found.asked order by found.place) filter (where found.row is null))[1]
      into picked, detail
      from (
        select name as asked, place, (
          select c.ctid from resource_claim c where c.subscription_id = held.id and c.resource_id = resource
            and c.external_id = name and c.released_at is null and (c.expired_at is null or c.expired_at > instant)) as row
        from jsonb_array_elements_text(wanted_names) with ordinality as given(name, place)
        union all
        select given.id, place, (
          select c.ctid from resource_claim c where c.id = given.id and c.subscription_id = held.id
            and c.resource_id = resource and c.released_at is null and (c.expired_at is null or c.expired_at > instant))
        from jsonb_array_elements_text(wanted_ids) with ordinality as given(id, place)) as found;
    outcome := case when detail is not null then 'unknown claim' end;
  end if;
  if outcome is not null then return next; return; end if;

  -- Nobody changes claims without holding their subscription, so they are where they were found.
  with released as (
    update resource_claim c set released_at = instant, release_reason = 'released', updated_at = instant,
      version = c.version + 1
    where c.ctid = any(picked) returning c as claim, c.id, c.version, c.claimed_at, c.position
  ), shown as materialized (
    select id, version, claimed_at, position, resource_claim_json(claim) as data from released
  ), told as (
    insert into event as known (id, type, object_type, object_id, object_version, data, previous_attributes,
      customer_id, livemode, organization_id, pricing_model_id, occurred_at, cause_id)
    select new_id('evt'), 'resource_claim.released', 'ResourceClaim', id, version, data,
      '{"releasedAt": null, "releaseReason": null}', held.customer, held.live, held.organization, model,
      instant, cause from shown
    on conflict (transaction_id, object_id) where sequence is null do update
      set data = excluded.data, object_version = excluded.object_version
  ) select jsonb_agg(data order by claimed_at, position) into claims from shown;
  outcome := 'released';
  claimed := claimed - cardinality(picked);
  return next;
end $$`);
  }
}
