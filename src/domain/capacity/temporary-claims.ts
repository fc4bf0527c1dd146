import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { originText } from '#domain/platform/feed/origin.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** The number of active claims and reserved units of a subscription on a resource. */
export interface ActiveClaims {
  readonly resourceId: string;
  readonly resourceSlug: string;
  readonly claimed: number;
}

/**
 * The active claims and reserved units of a locked subscription at this instant, of each resource that has some. A
 * change of its items must leave room for them.
 */
export async function activeClaimCounts(
  { em, now, pricingModelId }: Session,
  subscriptionId: string,
): Promise<ActiveClaims[]> {
  const rows = await statement<{ resourceId: string; resourceSlug: string; claimed: string }>(
    em,
    'active claims',
    `select r.id as "resourceId", r.slug as "resourceSlug", u.claimed + u.reserved as claimed
     from resource r,
       lateral resource_use($1, r.id, $2) as u
     where r.pricing_model_id = $3 and u.claimed + u.reserved > 0
       and r.id in (select resource_id from resource_claim_count where subscription_id = $1
         union select resource_id from reservation where subscription_id = $1 and status = 'held')
     order by r.slug`,
    [subscriptionId, now, pricingModelId],
  );
  return rows.map(({ claimed, ...resource }) => ({ ...resource, claimed: Number(claimed) }));
}

/**
 * Refuses a change of items that leaves too little capacity for active claims. `capacities` is the capacity of each
 * resource after the change, by its id; a missing resource has none. Errors: CONFLICT, naming the claims to release
 * first.
 */
export async function requireRoomForClaims(
  session: Session,
  subscriptionId: string,
  capacities: ReadonlyMap<string, number>,
): Promise<void> {
  for (const { resourceId, resourceSlug, claimed } of await activeClaimCounts(
    session,
    subscriptionId,
  )) {
    const capacity = capacities.get(resourceId) ?? 0;
    if (capacity >= claimed) continue;
    throw new DomainError(
      'CONFLICT',
      `${resourceSlug} cannot be reduced to ${capacity}: ${claimed} are claimed or reserved, so release ${claimed - capacity} first`,
      { reason: 'CAPACITY_EXCEEDED' },
    );
  }
}

/**
 * Makes claims of a locked subscription temporary that future changes of its items leave no room for: the newest
 * active ones. Each ends with the first change that has no room for it; claims that have room again become permanent.
 * Call it after such a change is scheduled, canceled or applied, and flushed. Where the whole subscription ends,
 * nothing changes.
 */
export async function markTemporaryClaims(session: Session, subscriptionId: string) {
  const { em, now, pricingModelId } = session;
  await statement(
    em,
    'mark temporary claims',
    `with standing as (
       select c.resource_id, bool_or(c.expires_at < 'infinity') as is_temporary
       from subscription s join resource_claim_count c on c.subscription_id = s.id and c.expires_at > $1 and c.claimed > 0
       where s.id = $2 and s.pricing_model_id = $3 and coalesce(s.cancel_scheduled_at <= $1, true)
       group by c.resource_id
     ), rooms as materialized (
       select n.resource_id, change.at, change.room
       from standing n, lateral resource_room($2, null, n.resource_id, $1) as change
     ), ranked as (
       select c.id, c.resource_id, c.expired_at,
         row_number() over (partition by c.resource_id order by c.claimed_at, c.position) as rank
       from resource_claim c
       where c.subscription_id = $2 and c.released_at is null and (c.expired_at is null or c.expired_at > $1)
         and (c.resource_id in (select resource_id from standing where is_temporary)
           or c.resource_id in (select resource_id from rooms))
     ), wanted as (
       select r.id, r.expired_at as before, (
         select min(rooms.at) from rooms where rooms.resource_id = r.resource_id and r.rank > rooms.room) as then
       from ranked r
     ), changed as (
       update resource_claim c set expired_at = wanted.then, updated_at = greatest(c.updated_at, $1), version = c.version + 1
       from wanted where c.id = wanted.id and wanted.then is distinct from wanted.before
       returning c as claim, wanted.before
     )
     select emit_claim_events(array_agg(claim), 'updated',
       jsonb_build_object('expiredAt', (extract(epoch from before) * 1000)::bigint), $4)
     from changed group by before`,
    [now, subscriptionId, pricingModelId, originText(session)],
  );
}
