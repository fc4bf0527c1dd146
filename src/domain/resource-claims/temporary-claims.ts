import { DomainError } from '../errors.ts';
import type { Session } from '../session.ts';

/** How many active claims a subscription has of a resource, with what is reserved. */
export interface ActiveClaims {
  readonly resourceId: string;
  readonly resourceSlug: string;
  readonly claimed: number;
}

/**
 * The active claims of a held subscription at this instant, of each resource that has some: what a change of
 * its items has to leave room for, together with what is reserved (reference §5.2, rule 14).
 */
export async function activeClaimCounts(
  { em, now, pricingModelId }: Session,
  subscriptionId: string,
): Promise<ActiveClaims[]> {
  const rows = await em.execute<{ resourceId: string; resourceSlug: string; claimed: string }[]>(
    `select r.id as "resourceId", r.slug as "resourceSlug", u.claimed + u.reserved as claimed
     from resource r,
       lateral resource_use(?, r.id, ?) as u
     where r.pricing_model_id = ? and u.claimed + u.reserved > 0
       and r.id in (select resource_id from resource_claim_count where subscription_id = ?
         union select resource_id from reservation where subscription_id = ? and status = 'held')
     order by r.slug`,
    [subscriptionId, now, pricingModelId, subscriptionId, subscriptionId],
  );
  return rows.map(({ claimed, ...resource }) => ({ ...resource, claimed: Number(claimed) }));
}

/**
 * Refuses a change of items under active claims. `capacities` says what each resource, by its id, will have after
 * it; a resource that is not mentioned will have none. Errors: CONFLICT, naming what to release first.
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
    );
  }
}

/**
 * Makes the newest claims of a held subscription temporary, as many as a change of its items that is to come
 * leaves no room for: they end with it (reference §8.5). To be called when the change has been scheduled and
 * written. Answers how many have become temporary.
 */
export async function endNewestClaims(session: Session, subscriptionId: string): Promise<number> {
  const { em, now, pricingModelId, causeId = null } = session;
  // Whoever does not fit at the first date is not there at the next one any more.
  const dates = await em.execute<{ resourceId: string; at: string }[]>(
    `select distinct c.resource_id as "resourceId", room.at::text as at
     from subscription s join resource_claim_count c on c.subscription_id = s.id and c.expires_at > ?,
       lateral resource_room(s.id, s.cancel_scheduled_at, c.resource_id, ?) as room
     where s.id = ? and s.pricing_model_id = ? order by at`,
    [now, now, subscriptionId, pricingModelId],
  );
  let ended = 0;
  for (const { resourceId, at } of dates) {
    const [{ changed }] = await em.execute<[{ changed: string }]>(
      `with newest as (
         select c.id from resource_claim c
         where c.subscription_id = ? and c.resource_id = ? and c.released_at is null
           and (c.expired_at is null or c.expired_at > ?::timestamptz)
         order by c.claimed_at desc, c.id desc
         limit (select greatest(0, -room.free) from subscription s, lateral resource_room(s.id, s.cancel_scheduled_at, ?, ?) as room
                where s.id = ? and room.at = ?::timestamptz)
       ), changed as (
         update resource_claim c set expired_at = ?::timestamptz, updated_at = ?, version = c.version + 1
         from newest where c.id = newest.id returning c as claim
       ), told as (
         select tell_resource_claims(array_agg(claim), 'updated', '{"expiredAt": null}', ?) from changed
         having count(*) > 0
       )
       select (select count(*) from changed) as changed, (select count(*) from told)`,
      [subscriptionId, resourceId, at, resourceId, now, subscriptionId, at, at, now, causeId],
    );
    ended += Number(changed);
  }
  return ended;
}

/**
 * Takes back that claims of a held subscription are temporary, when the scheduled end that they were to go with
 * has been taken back.
 */
export async function keepTemporaryClaims(
  session: Session,
  subscriptionId: string,
  endedWith: Date,
) {
  const { em, now, pricingModelId, causeId = null } = session;
  await em.execute(
    `with changed as (
       update resource_claim c set expired_at = null, updated_at = ?, version = c.version + 1
       where c.subscription_id = ? and c.pricing_model_id = ? and c.released_at is null and c.expired_at = ?
       returning c as claim
     )
     select tell_resource_claims(array_agg(claim), 'updated', jsonb_build_object('expiredAt', ?::bigint), ?)
     from changed having count(*) > 0`,
    [now, subscriptionId, pricingModelId, endedWith, endedWith.getTime(), causeId],
  );
}
