-- Emits an event for each claim. A second change of a claim in one transaction updates the event of the first one.
create or replace function emit_claim_events(claims resource_claim[], verb text, before jsonb, cause text)
returns void
language plpgsql as $$
begin
  insert into event as emitted (id, type, object_type, object_id, object_version, data, previous_attributes,
    customer_id, livemode, organization_id, pricing_model_id, occurred_at, cause_id)
  select new_id('evt'), 'resource_claim.' || verb, 'ResourceClaim', claim.id, claim.version,
    resource_claim_json(claim), before, claim.customer_id, claim.livemode, claim.organization_id,
    claim.pricing_model_id, claim.updated_at, cause
  from unnest(claims) as claim
  on conflict (transaction_id, object_id) where sequence is null do update
    set data = excluded.data, object_version = excluded.object_version,
      type = case when emitted.type like '%.updated' then excluded.type else emitted.type end,
      previous_attributes = excluded.previous_attributes || emitted.previous_attributes;
end $$;
