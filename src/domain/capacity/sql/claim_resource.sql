-- Claims units of a resource for a subscription, by number or by external ids, and emits their events.
-- Returns one row: `claimed` with the claims, `due` when a transition or an expiry must be executed first, or the refusal.
-- By number it makes at most `at_once` claims, and returns in `needed` how many; a large call takes several statements.
-- It lists the first `listed` claims, and all those of a reservation.
-- `guaranteed` units are granted even when the capacity is exhausted: those that a confirmed reservation releases.
create or replace function claim_resource(
  of_subscription text, model text, wanted_slug text, now_at timestamptz, wanted bigint, wanted_names jsonb,
  extra jsonb, guaranteed bigint, largest bigint, at_once bigint, listed bigint, cause text
)
returns table (
  outcome text, detail text, resource text, capacity bigint, claimed bigint, reserved bigint, needed bigint, claims jsonb
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off as $$
declare
  locked record;
  instant timestamptz;
  features bigint;
  changing boolean;
  names text[];
  missing text[];
  lapsed resource_claim[];
  common resource_claim;
  rendered jsonb;
  origin record;
  dates timestamptz[];
  room bigint[];
begin
  select * into locked from lock_subscription(of_subscription, model, now_at);
  instant := locked.instant;
  outcome := case
    when instant is null then 'unknown subscription'
    when locked.status in ${terminalStatuses} then 'ended'
    when locked.status in ('incomplete', 'paused', 'withheld') then locked.status
    when locked.due_at <= instant or exists (select from reservation v where v.subscription_id = locked.id
      and v.status = 'held' and v.expires_at <= instant) then 'due' end;
  detail := locked.status;
  if outcome is not null then return next; return; end if;

  select s.resource, s.features, s.capacity, s.changing, s.claimed, s.reserved
    into resource, features, capacity, changing, claimed, reserved
    from resource_state(locked.id, model, wanted_slug, instant) as s;
  outcome := case when not found then 'unknown resource' when features = 0 then 'not granted' end;
  if outcome is not null then return next; return; end if;

  needed := wanted;
  if wanted_names is not null then
    select array_agg(name order by place), array_agg(name order by place) filter (where (
        select c.id from resource_claim c where c.subscription_id = locked.id and c.resource_id = resource
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
  if missing is null then needed := least(needed, greatest(at_once, guaranteed)); end if;
  claimed := claimed + needed;

  if needed > 0 then
    if changing or locked.cancel_at > instant then
      select array_agg(r.at), array_agg(r.free) into dates, room
        from resource_room(locked.id, locked.cancel_at, resource, instant) as r;
    end if;
    if missing is not null then
      -- An expired claim no longer occupies its external id, even before it is marked as released.
      with expired as (
        update resource_claim c set released_at = c.expired_at, release_reason = 'expired',
          updated_at = greatest(c.updated_at, instant), version = c.version + 1
        where c.subscription_id = locked.id and c.resource_id = resource and c.external_id = any(missing)
          and c.released_at is null
        returning c as claim
      ) select array_agg(claim) into lapsed from expired;
      if lapsed is not null then
        perform emit_claim_events(lapsed, 'expired', '{"releasedAt": null, "releaseReason": null}', cause);
      end if;
    end if;
    select * into origin from keep_origin(cause);
    -- The new claims differ only in id, external id and expiry, so the rest is rendered once.
    select instant, instant, instant, locked.live, locked.organization, model, resource, locked.id, extra
      into common.created_at, common.updated_at, common.claimed_at, common.livemode, common.organization_id,
        common.pricing_model_id, common.resource_id, common.subscription_id, common.metadata;
    rendered := resource_claim_json(common);
    with added as (
      insert into resource_claim (id, created_at, updated_at, version, livemode, organization_id, pricing_model_id,
        resource_id, subscription_id, external_id, claimed_at, expired_at, metadata, customer_id, test_clock_id)
      select new_id('res_claim'), instant, instant, 1, locked.live, locked.organization, model,
        resource, locked.id, missing[rank], instant,
        case when dates is not null then
          (select min(change.at) from unnest(dates, room) as change(at, free) where rank > change.free) end,
        extra, locked.customer, locked.clock
      from generate_series(1, needed) as rank order by rank
      returning id, position, external_id, expired_at
    ), shown as (
      select id, position, rendered || jsonb_build_object('id', id, 'externalId', external_id,
        'expiredAt', (extract(epoch from expired_at) * 1000)::bigint) as data
      from added
    ), emitted as (
      insert into event (id, type, object_type, object_id, object_version, data, customer_id, livemode,
        organization_id, pricing_model_id, occurred_at, actor_type, actor_id, cause_id, cause)
      select new_id('evt'), 'resource_claim.created', 'ResourceClaim', id, 1, data,
        locked.customer, locked.live, locked.organization, model, instant, origin.actor_type, origin.actor_id,
        origin.cause_id, origin.cause from shown order by position
    ) select jsonb_agg(data order by position) into claims
      from (select data, position from shown order by position limit greatest(listed, guaranteed)) as listed;
  end if;

  if names is not null then
    select jsonb_agg((select resource_claim_json(c) from resource_claim c where c.subscription_id = locked.id
        and c.resource_id = resource and c.external_id = name and c.released_at is null) order by place) into claims
      from unnest(names[:greatest(listed, guaranteed)]) with ordinality as given(name, place);
  end if;
  return next;
end $$;
