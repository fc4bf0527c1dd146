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

    // The time that it is for a subscription, whose clock stands still from then on; null when there is none.
    this.addSql(`create function hold_instant(of_subscription text, model text, now_at timestamptz)
returns timestamptz language plpgsql as $$
declare
  clock text;
  shown timestamptz;
begin
  select test_clock_id into clock from subscription where id = of_subscription and pricing_model_id = model;
  if not found then return null; end if;
  if clock is null then return now_at; end if;
  select frozen_time into shown from test_clock where id = clock for share;
  return shown;
end $$`);

    // Whatever a change of items that is to come has no room for ends with it: at which dates, for which rank.
    this.addSql(`create function resource_room(held subscription, of_resource text, now_at timestamptz)
returns table (at timestamptz, free bigint) language sql stable as $$
  select held.cancel_scheduled_at, 0::bigint where held.cancel_scheduled_at > now_at
  union all
  select change.at, c.capacity - (select coalesce(sum(n.claimed), 0)::bigint from resource_claim_count n
      where n.subscription_id = held.id and n.resource_id = of_resource and n.expires_at > change.at)
  from (select distinct v.at from subscription_item i, lateral (values (i.added_date), (i.expired_at)) as v(at)
      where i.subscription_id = held.id and v.at > now_at) as change,
    lateral resource_capacity(held.id, of_resource, now_at, change.at) as c
  where held.cancel_scheduled_at is null or held.cancel_scheduled_at <= now_at
$$`);

    this.addSql(`create function claim_resource(of_subscription text, model text, wanted_slug text, now_at timestamptz,
  wanted bigint, wanted_names jsonb, extra jsonb, guaranteed bigint, largest bigint, cause text)
returns table (outcome text, detail text, resource text, capacity bigint, claimed bigint, reserved bigint,
  needed bigint, claims jsonb) language plpgsql as $$
declare
  instant timestamptz := hold_instant(of_subscription, model, now_at);
  held subscription;
  features bigint;
  names text[];
  gone resource_claim[];
  made resource_claim[];
  dates timestamptz[];
  room bigint[];
begin
  outcome := 'unknown subscription';
  if instant is null then return next; return; end if;
  select * into held from subscription where id = of_subscription for no key update;
  if not found then return next; return; end if;

  outcome := case
    when held.status in ('canceled', 'incomplete_expired') then 'ended'
    when held.transition_due_at <= instant then 'due' end;
  detail := held.status;
  if outcome is not null then return next; return; end if;
  select id into resource from resource where pricing_model_id = model and slug = wanted_slug;
  outcome := 'unknown resource';
  if not found then return next; return; end if;
  select c.features, c.capacity into features, capacity
    from resource_capacity(held.id, resource, instant, instant) as c;
  outcome := 'not granted';
  if features = 0 then return next; return; end if;
  select u.claimed, u.reserved into claimed, reserved from resource_use(held.id, resource, instant) as u;

  needed := wanted;
  if wanted_names is not null then
    select array_agg(name order by place) into names
      from jsonb_array_elements_text(wanted_names) with ordinality as given(name, place);
    select count(*) into needed from unnest(names) as name
      where not exists (select from resource_claim c where c.subscription_id = held.id and c.resource_id = resource
        and c.external_id = name and c.released_at is null and (c.expired_at is null or c.expired_at > instant));
  end if;
  outcome := case
    when needed > 0 and needed > greatest(capacity - claimed - reserved, guaranteed) then 'no capacity'
    when needed > largest then 'too many' end;
  if outcome is not null then return next; return; end if;
  outcome := 'claimed';

  if needed > 0 then
    -- What has expired holds its name no longer, whether somebody has noted that down or not.
    if names is not null then
      with expired as (
        update resource_claim c set released_at = c.expired_at, release_reason = 'expired', updated_at = instant,
          version = c.version + 1
        where c.subscription_id = held.id and c.resource_id = resource and c.external_id = any(names)
          and c.released_at is null and c.expired_at <= instant
        returning c as claim
      ) select array_agg(claim) into gone from expired;
      if gone is not null then
        perform tell_resource_claims(gone, 'expired', '{"releasedAt": null, "releaseReason": null}', cause);
      end if;
    end if;

    select array_agg(r.at), array_agg(r.free) into dates, room from resource_room(held, resource, instant) as r;
    with added as (
      insert into resource_claim (id, created_at, updated_at, version, livemode, organization_id, pricing_model_id,
        resource_id, subscription_id, external_id, claimed_at, expired_at, metadata, customer_id, test_clock_id)
      select new_id('res_claim'), instant, instant, 1, held.livemode, held.organization_id, model,
        resource, held.id, name, instant,
        (select min(change.at) from unnest(dates, room) as change(at, free) where rank > change.free),
        extra, held.customer_id, held.test_clock_id
      from (
        select null::text as name, n as rank from generate_series(1, coalesce(wanted, 0)) as n
        union all
        select name, row_number() over (order by place) from unnest(names) with ordinality as given(name, place)
        where not exists (select from resource_claim c where c.subscription_id = held.id and c.resource_id = resource
          and c.external_id = name and c.released_at is null)) as missing
      returning resource_claim as claim
    ) select array_agg(claim) into made from added;
    perform tell_resource_claims(made, 'created', null, cause);
    claimed := claimed + needed;
  end if;

  if names is null then
    select jsonb_agg(resource_claim_json(claim)) into claims from unnest(made) as claim;
  else
    select jsonb_agg(resource_claim_json(c) order by place) into claims
      from unnest(names) with ordinality as given(name, place)
      join resource_claim c on c.subscription_id = held.id and c.resource_id = resource
        and c.external_id = name and c.released_at is null;
  end if;
  return next;
end $$`);

    this.addSql(`create function release_resource(of_subscription text, model text, wanted_slug text, now_at timestamptz,
  wanted bigint, wanted_names jsonb, wanted_ids jsonb, largest bigint, cause text)
returns table (outcome text, detail text, resource text, capacity bigint, claimed bigint, reserved bigint,
  claims jsonb) language plpgsql as $$
declare
  instant timestamptz := hold_instant(of_subscription, model, now_at);
  held subscription;
  picked text[];
  gone resource_claim[];
begin
  outcome := 'unknown subscription';
  if instant is null then return next; return; end if;
  select * into held from subscription where id = of_subscription for no key update;
  if not found then return next; return; end if;
  outcome := 'due';
  if held.transition_due_at <= instant then return next; return; end if;
  select id into resource from resource where pricing_model_id = model and slug = wanted_slug;
  outcome := 'unknown resource';
  if not found then return next; return; end if;

  if wanted is not null then
    select array_agg(id) into picked from (
      select c.id from resource_claim c where c.subscription_id = held.id and c.resource_id = resource
        and c.released_at is null and c.external_id is null and (c.expired_at is null or c.expired_at > instant)
      order by c.external_id, c.claimed_at, c.id limit least(wanted, largest + 1)) as oldest;
    outcome := 'too many';
    if cardinality(picked) > largest then return next; return; end if;
    outcome := 'too few';
    detail := coalesce(cardinality(picked), 0);
    if detail::bigint < wanted then return next; return; end if;
  elsif wanted_names is not null then
    select array_agg(c.id), (array_agg(given.name order by given.place) filter (where c.id is null))[1] into picked, detail
      from jsonb_array_elements_text(wanted_names) with ordinality as given(name, place)
      left join resource_claim c on c.subscription_id = held.id and c.resource_id = resource
        and c.external_id = given.name and c.released_at is null and (c.expired_at is null or c.expired_at > instant);
  else
    select array_agg(c.id), (array_agg(given.id order by given.place) filter (where c.id is null))[1] into picked, detail
      from jsonb_array_elements_text(wanted_ids) with ordinality as given(id, place)
      left join resource_claim c on c.id = given.id and c.subscription_id = held.id and c.resource_id = resource
        and c.released_at is null and (c.expired_at is null or c.expired_at > instant);
  end if;
  outcome := 'unknown claim';
  if wanted is null and detail is not null then return next; return; end if;

  with released as (
    update resource_claim c set released_at = instant, release_reason = 'released', updated_at = instant,
      version = c.version + 1
    where c.id = any(picked) returning c as claim
  ) select array_agg(claim) into gone from released;
  perform tell_resource_claims(gone, 'released', '{"releasedAt": null, "releaseReason": null}', cause);
  select c.capacity into capacity from resource_capacity(held.id, resource, instant, instant) as c;
  select u.claimed, u.reserved into claimed, reserved from resource_use(held.id, resource, instant) as u;
  select jsonb_agg(resource_claim_json(claim) order by claim.claimed_at, claim.id) into claims
    from unnest(gone) as claim;
  outcome := 'released';
  return next;
end $$`);

    // What has expired is noted down as such; with a reason, all the others are released for it.
    this.addSql(`create function end_resource_claims(of_subscription text, model text, instant timestamptz, reason text, cause text)
returns bigint language plpgsql as $$
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
