-- Renders a claim as the API and events do: the columns of the entity that are not hidden, instants in milliseconds.
create or replace function resource_claim_json(claim resource_claim)
returns jsonb
language sql stable as $$
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
$$;
