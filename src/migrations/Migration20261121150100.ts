import { Migration } from '@mikro-orm/migrations';

/**
 * Claiming and releasing as functions: each takes its locks, looks, decides and writes in one round trip, with
 * the same number of statements for one claim and for ten thousand. A statement of a function sees what was
 * committed before it began, so what is counted after a lock is what the holder before has left.
 */
export class Migration20261121150100 extends Migration {
  override up() {
    // As newId of src/domain/ids.ts makes them: 21 characters of 0-9A-Za-z.
    this.addSql(`create function new_id(prefix text) returns text language sql volatile as $$
  select prefix || '_' || left(translate(encode(sha256(uuid_send(gen_random_uuid())), 'base64'), '+/=', ''), 21)
$$`);

    // As the API renders it; a test compares the two.
    this.addSql(`create function resource_claim_json(claim resource_claim) returns jsonb language sql stable as $$
  select jsonb_build_object('id', claim.id,
    'createdAt', (extract(epoch from claim.created_at) * 1000)::bigint,
    'updatedAt', (extract(epoch from claim.updated_at) * 1000)::bigint,
    'livemode', claim.livemode, 'organizationId', claim.organization_id,
    'pricingModelId', claim.pricing_model_id, 'resourceId', claim.resource_id,
    'subscriptionId', claim.subscription_id, 'externalId', claim.external_id,
    'claimedAt', (extract(epoch from claim.claimed_at) * 1000)::bigint,
    'releasedAt', (extract(epoch from claim.released_at) * 1000)::bigint,
    'releaseReason', claim.release_reason,
    'expiredAt', (extract(epoch from claim.expired_at) * 1000)::bigint,
    'metadata', claim.metadata)
$$`);

    this.addSql(`create function tell_resource_claims(claims resource_claim[], verb text, before jsonb, cause text)
returns void language plpgsql as $$
begin
  insert into event as held (id, type, object_type, object_id, object_version, data, previous_attributes,
    customer_id, livemode, organization_id, pricing_model_id, occurred_at, cause_id)
  select new_id('evt'), 'resource_claim.' || verb, 'ResourceClaim', claim.id, claim.version,
    resource_claim_json(claim), before, claim.customer_id, claim.livemode, claim.organization_id,
    claim.pricing_model_id, claim.updated_at, cause
  from unnest(claims) as claim
  on conflict (transaction_id, object_id) where sequence is null do update
    set data = excluded.data, object_version = excluded.object_version,
      type = case when held.type like '%.updated' then excluded.type else held.type end,
      previous_attributes = excluded.previous_attributes || held.previous_attributes;
end $$`);

    // Features count by whether they have expired now, items by whether they are active then.
    this.addSql(`create function resource_capacity(of_subscription text, of_resource text, now_at timestamptz, then_at timestamptz)
returns table (features bigint, capacity bigint) language sql stable as $$
  select count(*), least(coalesce(sum(f.amount) filter (
      where (f.expired_at is null or f.expired_at > now_at)
        and i.added_date <= then_at and (i.expired_at is null or i.expired_at > then_at)), 0), 9007199254740991)::bigint
  from subscription_item_feature f join subscription_item i on i.id = f.subscription_item_id
  where f.subscription_id = of_subscription and f.resource_id = of_resource
$$`);

    this.addSql(`create function resource_use(of_subscription text, of_resource text, now_at timestamptz)
returns table (claimed bigint, reserved bigint) language sql stable as $$
  select
    (select coalesce(sum(c.claimed), 0)::bigint from resource_claim_count c
      where c.subscription_id = of_subscription and c.resource_id = of_resource and c.expires_at > now_at),
    (select coalesce(sum(r.quantity), 0)::bigint from reservation r
      where r.subscription_id = of_subscription and r.resource_id = of_resource
        and r.status = 'held' and r.expires_at > now_at)
$$`);

    // How a resource stands with a subscription; no row for an unknown slug. It moves when items are to change.
    this.addSql(`create function resource_standing(of_subscription text, model text, wanted_slug text, now_at timestamptz)
returns table (resource text, features bigint, capacity bigint, moving boolean, claimed bigint, reserved bigint)
language sql stable as $$
  select r.id, granted.features, granted.capacity, granted.moving,
    (select coalesce(sum(c.claimed), 0)::bigint from resource_claim_count c
      where c.subscription_id = of_subscription and c.resource_id = r.id and c.expires_at > now_at),
    (select coalesce(sum(v.quantity), 0)::bigint from reservation v
      where v.subscription_id = of_subscription and v.resource_id = r.id
        and v.status = 'held' and v.expires_at > now_at)
  from resource r, lateral (
    select count(*) as features, least(coalesce(sum(f.amount) filter (
        where (f.expired_at is null or f.expired_at > now_at)
          and i.added_date <= now_at and (i.expired_at is null or i.expired_at > now_at)), 0), 9007199254740991)::bigint
      as capacity, bool_or(i.added_date > now_at or i.expired_at > now_at) as moving
    from subscription_item_feature f join subscription_item i on i.id = f.subscription_item_id
    where f.subscription_id = of_subscription and f.resource_id = r.id) as granted
  where r.pricing_model_id = model and r.slug = wanted_slug
$$`);

    // Holds a subscription and, before it, its clock, and says what time it is for it; no row when there is none.
    this.addSql(`create function hold_subscription(of_subscription text, model text, now_at timestamptz)
returns table (id text, status text, cancel_at timestamptz, due_at timestamptz, customer text, clock text,
  organization text, live boolean, instant timestamptz) language plpgsql as $$
begin
  instant := now_at;
  select s.id, s.status, s.cancel_scheduled_at, s.transition_due_at, s.customer_id, s.organization_id, s.livemode
    into id, status, cancel_at, due_at, customer, organization, live
    from subscription s where s.id = of_subscription and s.pricing_model_id = model and s.test_clock_id is null
    for no key update;
  if found then return next; return; end if;
  select s.test_clock_id into clock from subscription s where s.id = of_subscription and s.pricing_model_id = model;
  if clock is null then return; end if;
  select frozen_time into instant from test_clock c where c.id = clock for share;
  select s.id, s.status, s.cancel_scheduled_at, s.transition_due_at, s.customer_id, s.organization_id, s.livemode
    into id, status, cancel_at, due_at, customer, organization, live
    from subscription s where s.id = of_subscription for no key update;
  if found then return next; end if;
end $$`);

    // Whatever a change of items that is to come has no room for ends with it: at which dates, for which rank.
    this.addSql(`create function resource_room(of_subscription text, cancel_at timestamptz, of_resource text, now_at timestamptz)
returns table (at timestamptz, free bigint) language sql stable as $$
  select cancel_at, 0::bigint where cancel_at > now_at
  union all
  select change.at, c.capacity - (select coalesce(sum(n.claimed), 0)::bigint from resource_claim_count n
      where n.subscription_id = of_subscription and n.resource_id = of_resource and n.expires_at > change.at)
  from (select distinct v.at from subscription_item i, lateral (values (i.added_date), (i.expired_at)) as v(at)
      where i.subscription_id = of_subscription and v.at > now_at) as change,
    lateral resource_capacity(of_subscription, of_resource, now_at, change.at) as c
  where cancel_at is null or cancel_at <= now_at
$$`);

    // Each of the two runs with the plans that fit every call: by index, and the same for one claim and for many.
    this.addSql(`create function claim_resource(of_subscription text, model text, wanted_slug text, now_at timestamptz,
  wanted bigint, wanted_names jsonb, extra jsonb, guaranteed bigint, largest bigint, cause text)
returns table (outcome text, detail text, resource text, capacity bigint, claimed bigint, reserved bigint,
  needed bigint, claims jsonb) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  held record;
  instant timestamptz;
  features bigint;
  moving boolean;
  names text[];
  missing text[];
  gone resource_claim[];
  dates timestamptz[];
  room bigint[];
begin
  select * into held from hold_subscription(of_subscription, model, now_at);
  instant := held.instant;
  outcome := case
    when instant is null then 'unknown subscription'
    when held.status in ('canceled', 'incomplete_expired') then 'ended'
    when held.due_at <= instant then 'due' end;
  detail := held.status;
  if outcome is not null then return next; return; end if;

  select s.resource, s.features, s.capacity, s.moving, s.claimed, s.reserved
    into resource, features, capacity, moving, claimed, reserved
    from resource_standing(held.id, model, wanted_slug, instant) as s;
  outcome := case when not found then 'unknown resource' when features = 0 then 'not granted' end;
  if outcome is not null then return next; return; end if;

  needed := wanted;
  if wanted_names is not null then
    select array_agg(name order by place), array_agg(name order by place) filter (where (
        select c.id from resource_claim c where c.subscription_id = held.id and c.resource_id = resource
          and c.external_id = name and c.released_at is null and (c.expired_at is null or c.expired_at > instant)
      ) is null) into names, missing
      from jsonb_array_elements_text(wanted_names) with ordinality as given(name, place);
    needed := coalesce(cardinality(missing), 0);
  end if;
  outcome := case
    when needed > 0 and needed > greatest(capacity - claimed - reserved, guaranteed) then 'no capacity'
    when needed > largest then 'too many' end;
  if outcome is not null then return next; return; end if;
  outcome := 'claimed';
  claimed := claimed + needed;

  if needed > 0 then
    if moving or held.cancel_at > instant then
      select array_agg(r.at), array_agg(r.free) into dates, room from resource_room(held.id, held.cancel_at, resource, instant) as r;
    end if;
    if missing is not null then
      -- What has expired holds its name no longer, whether somebody has noted that down or not.
      with expired as (
        update resource_claim c set released_at = c.expired_at, release_reason = 'expired', updated_at = instant,
          version = c.version + 1
        where c.subscription_id = held.id and c.resource_id = resource and c.external_id = any(missing)
          and c.released_at is null
        returning c as claim
      ) select array_agg(claim) into gone from expired;
      if gone is not null then
        perform tell_resource_claims(gone, 'expired', '{"releasedAt": null, "releaseReason": null}', cause);
      end if;
    end if;
    with added as (
      insert into resource_claim (id, created_at, updated_at, version, livemode, organization_id, pricing_model_id,
        resource_id, subscription_id, external_id, claimed_at, expired_at, metadata, customer_id, test_clock_id)
      select new_id('res_claim'), instant, instant, 1, held.live, held.organization, model,
        resource, held.id, missing[rank], instant,
        case when dates is not null then
          (select min(change.at) from unnest(dates, room) as change(at, free) where rank > change.free) end,
        extra, held.customer, held.clock
      from generate_series(1, needed) as rank
      returning resource_claim as claim, id
    ), shown as materialized (
      select id, resource_claim_json(claim) as data from added
    ), told as (
      insert into event (id, type, object_type, object_id, object_version, data, customer_id, livemode,
        organization_id, pricing_model_id, occurred_at, cause_id)
      select new_id('evt'), 'resource_claim.created', 'ResourceClaim', id, 1, data, held.customer, held.live,
        held.organization, model, instant, cause from shown
    ) select jsonb_agg(data) into claims from shown;
  end if;

  if names is not null then
    select jsonb_agg((select resource_claim_json(c) from resource_claim c where c.subscription_id = held.id
        and c.resource_id = resource and c.external_id = name and c.released_at is null) order by place) into claims
      from unnest(names) with ordinality as given(name, place);
  end if;
  return next;
end $$`);

    this.addSql(`create function release_resource(of_subscription text, model text, wanted_slug text, now_at timestamptz,
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
      order by c.external_id, c.claimed_at, c.id limit least(wanted, largest + 1));
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
    where c.ctid = any(picked) returning c as claim, c.id, c.version, c.claimed_at
  ), shown as materialized (
    select id, version, claimed_at, resource_claim_json(claim) as data from released
  ), told as (
    insert into event as known (id, type, object_type, object_id, object_version, data, previous_attributes,
      customer_id, livemode, organization_id, pricing_model_id, occurred_at, cause_id)
    select new_id('evt'), 'resource_claim.released', 'ResourceClaim', id, version, data,
      '{"releasedAt": null, "releaseReason": null}', held.customer, held.live, held.organization, model,
      instant, cause from shown
    on conflict (transaction_id, object_id) where sequence is null do update
      set data = excluded.data, object_version = excluded.object_version
  ) select jsonb_agg(data order by claimed_at, id) into claims from shown;
  outcome := 'released';
  claimed := claimed - cardinality(picked);
  return next;
end $$`);

    // What has expired is noted down as such; with a reason, all the others are released for it.
    this.addSql(`create function end_resource_claims(of_subscription text, model text, instant timestamptz, reason text, cause text)
returns bigint language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  unreleased constant jsonb := '{"releasedAt": null, "releaseReason": null}';
  expired resource_claim[];
  released resource_claim[];
begin
  perform from subscription where id = of_subscription and pricing_model_id = model for no key update;
  if not found then return 0; end if;
  with changed as (
    update resource_claim c set released_at = c.expired_at, release_reason = 'expired', updated_at = instant,
      version = c.version + 1
    where c.subscription_id = of_subscription and c.released_at is null and c.expired_at <= instant
    returning c as claim
  ) select array_agg(claim) into expired from changed;
  if expired is not null then perform tell_resource_claims(expired, 'expired', unreleased, cause); end if;
  if reason is not null then
    with changed as (
      update resource_claim c set released_at = instant, release_reason = reason, updated_at = instant,
        version = c.version + 1
      where c.subscription_id = of_subscription and c.released_at is null returning c as claim
    ) select array_agg(claim) into released from changed;
    if released is not null then perform tell_resource_claims(released, 'released', unreleased, cause); end if;
  end if;
  delete from resource_claim_count where subscription_id = of_subscription and claimed = 0 and expires_at <= instant;
  return coalesce(cardinality(expired), 0) + coalesce(cardinality(released), 0);
end $$`);
  }
}
