import { Migration } from '@mikro-orm/migrations';

/** The calls of a subscription that the function holds and that ask for a number; the sums are of each resource. */
const groups = (verb: string, further = '') => `asked as materialized (
      select c.place, c.subscription, c.model, c.slug, coalesce(c.now, present) as now, c.quantity, c.metadata, c.cause
      from claim_calls(calls) as c where c.verb = '${verb}' and c.names is null and c.ids is null
        and c.subscription = any(held)
    ), sums as (
      select a.subscription, a.model, a.slug, max(a.now) as instant, sum(a.quantity)::bigint as wanted
      from asked as a group by a.subscription, a.model, a.slug
    ), standing as materialized (
      select g.subscription, g.model, g.slug, g.instant, g.wanted, s.customer_id, s.organization_id, s.livemode,
        n.resource, n.capacity, n.claimed, n.reserved
      from sums as g join subscription as s on s.id = g.subscription and s.pricing_model_id = g.model,
        lateral resource_standing(s.id, g.model, g.slug, g.instant) as n
      where coalesce(s.transition_due_at > g.instant, true)${further}
    )`;

/** Columns of an event, told of what \`shown\` shows. */
const tell = (verb: string, before: string) => `insert into event (id, type, object_type, object_id, object_version,
        data, previous_attributes, customer_id, livemode, organization_id, pricing_model_id, occurred_at, cause_id)
      select new_id('evt'), 'resource_claim.${verb}', 'ResourceClaim', s.id, s.version, s.data, ${before},
        s.customer_id, s.livemode, s.organization_id, s.model, s.now, s.cause from shown as s order by s.position`;

/**
 * Claims are taken and released at the instant of the database that comes after the lock, unless the caller has
 * chosen one. A reservation that is over is never counted as free before it is marked as expired: such a call
 * answers `due`. Claims are answered, and told, in the order in which they were taken.
 */
export class Migration20261122030100 extends Migration {
  override up() {
    this.addSql(`create or replace function hold_subscription(of_subscription text, model text, now_at timestamptz)
returns table (id text, status text, cancel_at timestamptz, due_at timestamptz, customer text, clock text,
  organization text, live boolean, instant timestamptz) language plpgsql as $$
begin
  select s.id, s.status, s.cancel_scheduled_at, s.transition_due_at, s.customer_id, s.organization_id, s.livemode
    into id, status, cancel_at, due_at, customer, organization, live
    from subscription s where s.id = of_subscription and s.pricing_model_id = model and s.test_clock_id is null
    for no key update;
  if found then
    -- Not before the lock: the wait for it may have lasted past the end of something.
    instant := coalesce(now_at, date_trunc('milliseconds', clock_timestamp()));
    return next; return;
  end if;
  select s.test_clock_id into clock from subscription s where s.id = of_subscription and s.pricing_model_id = model;
  if clock is null then return; end if;
  select frozen_time into instant from test_clock c where c.id = clock for share;
  select s.id, s.status, s.cancel_scheduled_at, s.transition_due_at, s.customer_id, s.organization_id, s.livemode
    into id, status, cancel_at, due_at, customer, organization, live
    from subscription s where s.id = of_subscription for no key update;
  if found then return next; end if;
end $$`);

    this.addSql(`create or replace function claim_resource(of_subscription text, model text, wanted_slug text, now_at timestamptz,
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
    when held.due_at <= instant or exists (select from reservation v where v.subscription_id = held.id
      and v.status = 'held' and v.expires_at <= instant) then 'due' end;
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
      from generate_series(1, needed) as rank order by rank
      returning resource_claim as claim, id, position
    ), shown as materialized (
      select id, position, resource_claim_json(claim) as data from added
    ), told as (
      insert into event (id, type, object_type, object_id, object_version, data, customer_id, livemode,
        organization_id, pricing_model_id, occurred_at, cause_id)
      select new_id('evt'), 'resource_claim.created', 'ResourceClaim', id, 1, data, held.customer, held.live,
        held.organization, model, instant, cause from shown order by position
    ) select jsonb_agg(data order by position) into claims from shown;
  end if;

  if names is not null then
    select jsonb_agg((select resource_claim_json(c) from resource_claim c where c.subscription_id = held.id
        and c.resource_id = resource and c.external_id = name and c.released_at is null) order by place) into claims
      from unnest(names) with ordinality as given(name, place);
  end if;
  return next;
end $$`);

    this.addSql(`create or replace function change_claims(calls jsonb)
returns table (place int, outcome text, detail text, resource text, capacity bigint, claimed bigint, reserved bigint,
  needed bigint, claims jsonb) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off
  set lock_timeout = '100ms' as $$
#variable_conflict use_column
declare
  held constant text[] := array(
    select s.id from subscription as s
    where (s.id, s.pricing_model_id) in (select c.subscription, c.model from claim_calls(calls) as c)
      and s.test_clock_id is null
    order by s.id for no key update skip locked);
  present constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  done int[] := '{}';
  call record;
begin
  -- Statements after the one that takes the locks, so that they see what the holders before have left.
  if calls @> '[{"verb": "claim"}]' then for call in with ${groups(
    'claim',
    ` and s.status not in ('canceled', 'incomplete_expired')
        and coalesce(s.cancel_scheduled_at <= g.instant, true) and n.features > 0 and n.moving is not true
        and g.wanted <= n.capacity - n.claimed - n.reserved
        and not exists (select from reservation as v where v.subscription_id = s.id and v.status = 'held'
          and v.expires_at <= g.instant)`,
  )}, planned as materialized (
      select new_id('res_claim') as id, a.place, a.now, a.cause, a.metadata, n.*
      from asked as a join standing as n using (subscription, model, slug), generate_series(1, a.quantity)
    ), added as (
      insert into resource_claim (id, created_at, updated_at, version, livemode, organization_id, pricing_model_id,
        resource_id, subscription_id, claimed_at, metadata, customer_id)
      select p.id, p.now, p.now, 1, p.livemode, p.organization_id, p.model, p.resource, p.subscription, p.now,
        p.metadata, p.customer_id
      from planned as p order by p.place
      returning resource_claim as claim, id, position
    ), shown as materialized (
      select p.*, 1 as version, a.position, resource_claim_json(a.claim) as data from added as a join planned as p using (id)
    ), told as (${tell('created', 'null')})
    select a.place, n.resource, n.capacity, n.reserved,
      n.claimed + sum(a.quantity) over (partition by a.subscription, n.resource order by a.place) as claimed,
      (select jsonb_agg(s.data order by s.position) from shown as s where s.place = a.place) as claims
    from asked as a join standing as n using (subscription, model, slug)
  loop
    done := done || call.place;
    return query select call.place, 'claimed', null, call.resource, call.capacity, call.claimed::bigint,
      call.reserved, null::bigint, call.claims;
  end loop; end if;

  if calls @> '[{"verb": "release"}]' then for call in with ${groups('release')}, found as materialized (
      select n.subscription, n.model, n.slug, c.id, c.rank
      from standing as n, lateral (
        select r.id, row_number() over (order by r.external_id, r.claimed_at, r.position) as rank from resource_claim as r
        where r.subscription_id = n.subscription and r.resource_id = n.resource and r.released_at is null
          and r.external_id is null and (r.expired_at is null or r.expired_at > n.instant)
        order by r.external_id, r.claimed_at, r.position limit n.wanted) as c
    ), spans as materialized (
      select a.place, a.now, a.cause, a.quantity, n.*,
        sum(a.quantity) over (partition by a.subscription, n.resource order by a.place) as upto
      from asked as a join standing as n using (subscription, model, slug)
      where n.wanted = (select count(*) from found as f
        where f.subscription = n.subscription and f.model = n.model and f.slug = n.slug)
    ), released as (
      update resource_claim as c set released_at = s.now, release_reason = 'released', updated_at = s.now,
        version = c.version + 1
      from spans as s join found as f on f.subscription = s.subscription and f.model = s.model and f.slug = s.slug
        and f.rank > s.upto - s.quantity and f.rank <= s.upto
      where c.id = f.id
      returning c as claim, c.id, c.version, c.claimed_at, c.position, s.place, s.now, s.cause, s.customer_id, s.livemode,
        s.organization_id, s.model
    ), shown as materialized (
      select r.*, resource_claim_json(r.claim) as data from released as r
    ), told as (${tell('released', `'{"releasedAt": null, "releaseReason": null}'::jsonb`)})
    select s.place, s.resource, s.capacity, s.reserved, s.claimed - s.upto as claimed,
      (select jsonb_agg(r.data order by r.claimed_at, r.position) from shown as r where r.place = s.place) as claims
    from spans as s
  loop
    done := done || call.place;
    return query select call.place, 'released', null, call.resource, call.capacity, call.claimed::bigint,
      call.reserved, null::bigint, call.claims;
  end loop; end if;

  for call in select * from claim_calls(calls) as c where c.place <> all(done) order by c.place loop
    if not call.subscription = any(held) then
      return query select call.place, 'alone', null, null, null::bigint, null::bigint, null::bigint, null::bigint,
        null::jsonb;
    elsif call.verb = 'claim' then
      return query select call.place, c.* from claim_resource(call.subscription, call.model, call.slug, coalesce(call.now, present),
        call.quantity, call.names, call.metadata, 0, call.largest, call.cause) as c;
    else
      return query select call.place, r.outcome, r.detail, r.resource, r.capacity, r.claimed, r.reserved,
          null::bigint, r.claims
        from release_resource(call.subscription, call.model, call.slug, coalesce(call.now, present), call.quantity, call.names,
          call.ids, call.largest, call.cause) as r;
    end if;
  end loop;
end $$`);
  }
}
