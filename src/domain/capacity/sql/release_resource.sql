-- Releases claims of a resource, by number (the oldest anonymous ones first), by external ids or by claim ids, and emits
-- their events. By number it releases at most `at_once`; a large call takes several statements. Returns one row:
-- `released` with the first `listed` claims, `due`, or the refusal.
create or replace function release_resource(
  of_subscription text, model text, wanted_slug text, now_at timestamptz, wanted bigint, wanted_names jsonb,
  wanted_ids jsonb, largest bigint, at_once bigint, listed bigint, cause text
)
returns table (outcome text, detail text, resource text, capacity bigint, claimed bigint, reserved bigint, claims jsonb)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off as $$
declare
  locked record;
  instant timestamptz;
  picked tid[];
  origin record;
begin
  select * into locked from lock_subscription(of_subscription, model, now_at);
  instant := locked.instant;
  outcome := case
    when instant is null then 'unknown subscription'
    when locked.due_at <= instant then 'due' end;
  if outcome is not null then return next; return; end if;
  select s.resource, s.capacity, s.claimed, s.reserved into resource, capacity, claimed, reserved
    from resource_state(locked.id, model, wanted_slug, instant) as s;
  outcome := 'unknown resource';
  if not found then return next; return; end if;

  if wanted is not null then
    picked := array(
      select c.ctid from resource_claim c where c.subscription_id = locked.id and c.resource_id = resource
        and c.released_at is null and c.external_id is null and (c.expired_at is null or c.expired_at > instant)
      order by c.external_id, c.claimed_at, c.position limit least(wanted, at_once));
    detail := cardinality(picked);
    if wanted > at_once then
      select count(*) into detail from (
        select from resource_claim c where c.subscription_id = locked.id and c.resource_id = resource
          and c.released_at is null and c.external_id is null and (c.expired_at is null or c.expired_at > instant)
        limit wanted) as active;
    end if;
    outcome := case when detail::bigint < wanted then 'too few' when wanted > largest then 'too many' end;
  else
    select array_agg(found.row), (array_agg(found.asked order by found.place) filter (where found.row is null))[1]
      into picked, detail
      from (
        select name as asked, place, (
          select c.ctid from resource_claim c where c.subscription_id = locked.id and c.resource_id = resource
            and c.external_id = name and c.released_at is null and (c.expired_at is null or c.expired_at > instant)) as row
        from jsonb_array_elements_text(wanted_names) with ordinality as given(name, place)
        union all
        select given.id, place, (
          select c.ctid from resource_claim c where c.id = given.id and c.subscription_id = locked.id
            and c.resource_id = resource and c.released_at is null and (c.expired_at is null or c.expired_at > instant))
        from jsonb_array_elements_text(wanted_ids) with ordinality as given(id, place)) as found;
    outcome := case when detail is not null then 'unknown claim' end;
  end if;
  if outcome is not null then return next; return; end if;

  select * into origin from keep_origin(cause);
  -- Claims change only under the lock of their subscription, so their row addresses are still valid.
  with released as (
    update resource_claim c set released_at = instant, release_reason = 'released',
      updated_at = greatest(c.updated_at, instant), version = c.version + 1
    where c.ctid = any(picked) returning c as claim, c.id, c.version, c.updated_at, c.claimed_at,
      c.position
  ), shown as materialized (
    select id, version, updated_at, claimed_at, position, resource_claim_json(claim) as data from released
  ), emitted as (
    insert into event (id, type, object_type, object_id, object_version, data, previous_attributes,
      customer_id, livemode, organization_id, pricing_model_id, occurred_at, actor_type, actor_id, cause_id, cause)
    select new_id('evt'), 'resource_claim.released', 'ResourceClaim', id, version, data,
      '{"releasedAt": null, "releaseReason": null}', locked.customer, locked.live, locked.organization, model,
      updated_at, origin.actor_type, origin.actor_id, origin.cause_id, origin.cause
    from shown order by claimed_at, position
    on conflict (transaction_id, object_id) where sequence is null do update
      set data = excluded.data, object_version = excluded.object_version
  ) select jsonb_agg(data order by claimed_at, position) into claims
    from (select data, claimed_at, position from shown order by claimed_at, position limit listed) as shown_first;
  outcome := 'released';
  claimed := claimed - cardinality(picked);
  return next;
end $$;
