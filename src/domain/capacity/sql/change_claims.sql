-- Executes a batch of claim and release calls in one transaction and returns a row for each.
-- Subscriptions that another transaction has locked, and those of test clocks, are skipped: their outcome is `alone`.
-- Calls by number are executed as sets; all others, and those that are refused, one by one.
create or replace function change_claims(calls jsonb)
returns table (
  place int, outcome text, detail text, resource text, capacity bigint, claimed bigint, reserved bigint,
  needed bigint, claims jsonb
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set lock_timeout = '100ms' as $$
#variable_conflict use_column
declare
  locked constant text[] := array(
    select s.id from subscription as s
    where (s.id, s.pricing_model_id) in (select c.subscription, c.model from claim_calls(calls) as c)
      and s.test_clock_id is null
    order by s.id for no key update skip locked);
  present constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  done int[] := '{}';
  call record;
begin
  -- Separate statements after the one that locks, so that they see what the previous lock holders have committed.
  if calls @> '[{"verb": "claim"}]' then for call in with asked as materialized (
      select c.place, c.subscription, c.model, c.slug, coalesce(c.now, greatest(present, o.updated_at)) as now,
        c.quantity, c.metadata, c.cause
      from claim_calls(calls) as c join subscription as o on o.id = c.subscription where c.verb = 'claim' and c.names is null and c.ids is null
        and c.subscription = any(locked)
    ), sums as (
      select a.subscription, a.model, a.slug, max(a.now) as instant, sum(a.quantity)::bigint as wanted
      from asked as a group by a.subscription, a.model, a.slug
    ), states as materialized (
      select g.subscription, g.model, g.slug, g.instant, g.wanted, s.customer_id, s.organization_id, s.livemode,
        n.resource, n.capacity, n.claimed, n.reserved
      from sums as g join subscription as s on s.id = g.subscription and s.pricing_model_id = g.model,
        lateral resource_state(s.id, g.model, g.slug, g.instant) as n
      where coalesce(s.transition_due_at > g.instant, true) and s.status <> 'incomplete'
        and (s.status <> 'paused' or s.pause_entitlements = 'on') and s.unpaid_access is distinct from 'none'
        and s.status not in ${terminalStatuses}
        and coalesce(s.cancel_scheduled_at <= g.instant, true) and n.features > 0 and n.changing is not true
        and g.wanted <= n.capacity - n.claimed - n.reserved
        and not exists (select from reservation as v where v.subscription_id = s.id and v.status = 'held'
          and v.expires_at <= g.instant)
    ), planned as materialized (
      select new_id('res_claim') as id, a.place, a.now, a.cause, a.metadata, n.*
      from asked as a join states as n using (subscription, model, slug), generate_series(1, a.quantity)
    ), added as (
      insert into resource_claim (id, created_at, updated_at, version, livemode, organization_id, pricing_model_id,
        resource_id, subscription_id, claimed_at, metadata, customer_id)
      select p.id, p.now, p.now, 1, p.livemode, p.organization_id, p.model, p.resource, p.subscription, p.now,
        p.metadata, p.customer_id
      from planned as p order by p.place
      returning resource_claim as claim, id, position
    ), rendered as materialized (
      select p.*, 1 as version, a.position, resource_claim_json(a.claim) as data from added as a join planned as p using (id)
    ), emitted as (insert into event (id, type, object_type, object_id, object_version,
        data, previous_attributes, customer_id, livemode, organization_id, pricing_model_id, occurred_at, cause_id)
      select new_id('evt'), 'resource_claim.created', 'ResourceClaim', s.id, s.version, s.data, null,
        s.customer_id, s.livemode, s.organization_id, s.model, s.now, s.cause from rendered as s order by s.position)
    select a.place, n.resource, n.capacity, n.reserved,
      n.claimed + sum(a.quantity) over (partition by a.subscription, n.resource order by a.place) as claimed,
      (select jsonb_agg(s.data order by s.position) from rendered as s where s.place = a.place) as claims
    from asked as a join states as n using (subscription, model, slug)
  loop
    done := done || call.place;
    return query select call.place, 'claimed', null, call.resource, call.capacity, call.claimed::bigint,
      call.reserved, null::bigint, call.claims;
  end loop; end if;

  if calls @> '[{"verb": "release"}]' then for call in with asked as materialized (
      select c.place, c.subscription, c.model, c.slug, coalesce(c.now, greatest(present, o.updated_at)) as now,
        c.quantity, c.metadata, c.cause
      from claim_calls(calls) as c join subscription as o on o.id = c.subscription where c.verb = 'release' and c.names is null and c.ids is null
        and c.subscription = any(locked)
    ), sums as (
      select a.subscription, a.model, a.slug, max(a.now) as instant, sum(a.quantity)::bigint as wanted
      from asked as a group by a.subscription, a.model, a.slug
    ), states as materialized (
      select g.subscription, g.model, g.slug, g.instant, g.wanted, s.customer_id, s.organization_id, s.livemode,
        n.resource, n.capacity, n.claimed, n.reserved
      from sums as g join subscription as s on s.id = g.subscription and s.pricing_model_id = g.model,
        lateral resource_state(s.id, g.model, g.slug, g.instant) as n
      where coalesce(s.transition_due_at > g.instant, true)
    ), found as materialized (
      select n.subscription, n.model, n.slug, c.id, c.rank
      from states as n, lateral (
        select r.id, row_number() over (order by r.external_id, r.claimed_at, r.position) as rank from resource_claim as r
        where r.subscription_id = n.subscription and r.resource_id = n.resource and r.released_at is null
          and r.external_id is null and (r.expired_at is null or r.expired_at > n.instant)
        order by r.external_id, r.claimed_at, r.position limit n.wanted) as c
    ), spans as materialized (
      select a.place, a.now, a.cause, a.quantity, n.*,
        sum(a.quantity) over (partition by a.subscription, n.resource order by a.place) as upto
      from asked as a join states as n using (subscription, model, slug)
      where n.wanted = (select count(*) from found as f
        where f.subscription = n.subscription and f.model = n.model and f.slug = n.slug)
    ), released as (
      update resource_claim as c set released_at = s.now, release_reason = 'released',
        updated_at = greatest(c.updated_at, s.now), version = c.version + 1
      from spans as s join found as f on f.subscription = s.subscription and f.model = s.model and f.slug = s.slug
        and f.rank > s.upto - s.quantity and f.rank <= s.upto
      where c.id = f.id
      returning c as claim, c.id, c.version, c.updated_at, c.claimed_at, c.position, s.place, s.cause, s.customer_id,
        s.livemode, s.organization_id, s.model
    ), rendered as materialized (
      select r.*, resource_claim_json(r.claim) as data from released as r
    ), emitted as (insert into event (id, type, object_type, object_id, object_version,
        data, previous_attributes, customer_id, livemode, organization_id, pricing_model_id, occurred_at, cause_id)
      select new_id('evt'), 'resource_claim.released', 'ResourceClaim', s.id, s.version, s.data,
        '{"releasedAt": null, "releaseReason": null}'::jsonb,
        s.customer_id, s.livemode, s.organization_id, s.model, s.updated_at, s.cause from rendered as s order by s.position)
    select s.place, s.resource, s.capacity, s.reserved, s.claimed - s.upto as claimed,
      (select jsonb_agg(r.data order by r.claimed_at, r.position) from rendered as r where r.place = s.place) as claims
    from spans as s
  loop
    done := done || call.place;
    return query select call.place, 'released', null, call.resource, call.capacity, call.claimed::bigint,
      call.reserved, null::bigint, call.claims;
  end loop; end if;

  for call in select * from claim_calls(calls) as c where c.place <> all(done) order by c.place loop
    if not call.subscription = any(locked) then
      return query select call.place, 'alone', null, null, null::bigint, null::bigint, null::bigint, null::bigint,
        null::jsonb;
    elsif call.verb = 'claim' then
      return query select call.place, c.*
        from claim_resource(call.subscription, call.model, call.slug, call.now, call.quantity,
          call.names, call.metadata, 0, call.largest, call.largest, ${mostListed}, call.cause) as c;
    else
      return query select call.place, r.outcome, r.detail, r.resource, r.capacity, r.claimed, r.reserved,
          null::bigint, r.claims
        from release_resource(call.subscription, call.model, call.slug, call.now, call.quantity, call.names,
          call.ids, call.largest, call.largest, ${mostListed}, call.cause) as r;
    end if;
  end loop;
end $$;
