import { Migration } from '@mikro-orm/migrations';

/** The calls of a subscription that the function holds and that ask for a number; the sums are of each resource. */
const groups = (verb: string, further = '') => `asked as materialized (
      select * from claim_calls(calls) as c where c.verb = '${verb}' and c.names is null and c.ids is null
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
        s.customer_id, s.livemode, s.organization_id, s.model, s.now, s.cause from shown as s`;

/**
 * Several calls that claim or release in one transaction, each as if it were by itself. None waits for a
 * subscription that somebody else holds, or for a clock: such a call is left to be carried out alone, so no
 * caller waits for what another one waits for, and the calls need no order. For what else is held, such as a
 * resource that is being changed, they wait a tenth of a second, and fail together, to be tried alone. What most calls ask for, a
 * number of a resource of which there is enough and that is not about to change, is done for all of them with
 * the statements of one; the others take their turns after them.
 */
export class Migration20261121190100 extends Migration {
  override up() {
    this.addSql(`drop function if exists change_claims(jsonb)`);
    this.addSql(`drop function if exists claim_calls(jsonb)`);
    this.addSql(`create function claim_calls(calls jsonb)
returns table (place int, verb text, subscription text, model text, slug text, now timestamptz, quantity bigint,
  names jsonb, ids jsonb, metadata jsonb, largest bigint, cause text) language sql immutable as $$
  select c.place::int, c.verb, c.subscription, c.model, c.slug, c.now, c.quantity, c.names, c.ids, c.metadata,
    c.largest, c.cause
  from rows from (jsonb_to_recordset(calls) as (verb text, subscription text, model text, slug text,
    now timestamptz, quantity bigint, names jsonb, ids jsonb, metadata jsonb, largest bigint, cause text))
    with ordinality as c (verb, subscription, model, slug, now, quantity, names, ids, metadata, largest, cause, place)
$$`);

    this.addSql(`create function change_claims(calls jsonb)
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
  done int[] := '{}';
  call record;
begin
  -- Statements after the one that takes the locks, so that they see what the holders before have left.
  if calls @> '[{"verb": "claim"}]' then for call in with ${groups(
    'claim',
    ` and s.status not in ('canceled', 'incomplete_expired')
        and coalesce(s.cancel_scheduled_at <= g.instant, true) and n.features > 0 and n.moving is not true
        and g.wanted <= n.capacity - n.claimed - n.reserved`,
  )}, planned as materialized (
      select new_id('res_claim') as id, a.place, a.now, a.cause, a.metadata, n.*
      from asked as a join standing as n using (subscription, model, slug), generate_series(1, a.quantity)
    ), added as (
      insert into resource_claim (id, created_at, updated_at, version, livemode, organization_id, pricing_model_id,
        resource_id, subscription_id, claimed_at, metadata, customer_id)
      select p.id, p.now, p.now, 1, p.livemode, p.organization_id, p.model, p.resource, p.subscription, p.now,
        p.metadata, p.customer_id
      from planned as p order by p.place
      returning resource_claim as claim, id
    ), shown as materialized (
      select p.*, 1 as version, resource_claim_json(a.claim) as data from added as a join planned as p using (id)
    ), told as (${tell('created', 'null')})
    select a.place, n.resource, n.capacity, n.reserved,
      n.claimed + sum(a.quantity) over (partition by a.subscription, n.resource order by a.place) as claimed,
      (select jsonb_agg(s.data) from shown as s where s.place = a.place) as claims
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
      return query select call.place, c.* from claim_resource(call.subscription, call.model, call.slug, call.now,
        call.quantity, call.names, call.metadata, 0, call.largest, call.cause) as c;
    else
      return query select call.place, r.outcome, r.detail, r.resource, r.capacity, r.claimed, r.reserved,
          null::bigint, r.claims
        from release_resource(call.subscription, call.model, call.slug, call.now, call.quantity, call.names,
          call.ids, call.largest, call.cause) as r;
    end if;
  end loop;
end $$`);
  }
}
