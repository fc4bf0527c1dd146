-- Marks the expired claims of a subscription as released and, when a reason is given, releases all others.
-- Returns the number of claims.
create or replace function end_resource_claims(
  of_subscription text, model text, instant timestamptz, reason text, cause text
)
returns bigint
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off as $$
declare
  unreleased constant jsonb := '{"releasedAt": null, "releaseReason": null}';
  expired resource_claim[];
  released resource_claim[];
begin
  perform from subscription where id = of_subscription and pricing_model_id = model for no key update;
  if not found then return 0; end if;
  with changed as (
    update resource_claim c set released_at = c.expired_at, release_reason = 'expired',
      updated_at = greatest(c.updated_at, instant), version = c.version + 1
    where c.subscription_id = of_subscription and c.released_at is null and c.expired_at <= instant
    returning c as claim
  ) select array_agg(claim) into expired from changed;
  if expired is not null then perform emit_claim_events(expired, 'expired', unreleased, cause); end if;
  if reason is not null then
    with changed as (
      update resource_claim c set released_at = instant, release_reason = reason,
        updated_at = greatest(c.updated_at, instant), version = c.version + 1
      where c.subscription_id = of_subscription and c.released_at is null returning c as claim
    ) select array_agg(claim) into released from changed;
    if released is not null then perform emit_claim_events(released, 'released', unreleased, cause); end if;
  end if;
  delete from resource_claim_count where subscription_id = of_subscription and claimed = 0 and expires_at <= instant;
  return coalesce(cardinality(expired), 0) + coalesce(cardinality(released), 0);
end $$;
