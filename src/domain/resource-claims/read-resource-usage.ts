import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { readById } from '#domain/kernel/read-by-id.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { Resource } from '#domain/resources/resource.ts';
import type { ResourceUsage } from '#domain/rules/capacity/resource-usage.ts';
import { nowOf, ownerOf } from '#domain/rules/locks/read-customer.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { ResourceClaim } from './resource-claim.ts';

/** How many claims of a resource one answer holds; the connection `resourceClaims` has them all, in pages. */
export const mostListed = 10_000;
const mostFiltered = 100;

/** A usage, with what its claims are found by. */
export interface UsageAt extends ResourceUsage {
  /** The instant, by the subscription's clock, at which it stands so. */
  readonly at: Date;
}

interface Wanted {
  readonly resourceSlugs?: readonly string[] | null | undefined;
  readonly resourceIds?: readonly string[] | null | undefined;
}

/**
 * How much of each resource a subscription has and has taken now, by slug: of every resource that it has or
 * had a feature for (reference §8.4). It takes as long with ten claims as with a million. Slugs go before ids.
 * Errors: NOT_FOUND; BAD_REQUEST for more than 100 slugs or ids.
 */
export async function resourceUsages(
  session: Session,
  { subscriptionId, resourceSlugs, resourceIds }: Wanted & { readonly subscriptionId: string },
): Promise<UsageAt[]> {
  for (const [name, wanted] of Object.entries({ resourceSlugs, resourceIds })) {
    if ((wanted?.length ?? 0) > mostFiltered) throw invalid(name, `are more than ${mostFiltered}`);
  }
  const subscription = await readById(session, Subscription, subscriptionId);
  const usages = await resourceUsagesOf(session, [subscription]);
  if (resourceSlugs)
    return usages.filter(({ resourceSlug }) => resourceSlugs.includes(resourceSlug));
  return resourceIds ? usages.filter(({ resourceId }) => resourceIds.includes(resourceId)) : usages;
}

/** The same of several subscriptions of one customer. */
export async function resourceUsagesOf(
  session: Session,
  subscriptions: readonly Subscription[],
): Promise<UsageAt[]> {
  const [first] = subscriptions;
  if (!first) return [];
  const at = await nowOf(session, await ownerOf(session, first));
  const rows = await statement<Record<keyof ResourceUsage, string>>(
    session.em,
    'resource usages',
    `select granted.subscription_id as "subscriptionId", r.id as "resourceId", r.slug as "resourceSlug",
       c.capacity, u.claimed, u.reserved
     from (select distinct subscription_id, resource_id from subscription_item_feature
           where subscription_id = any($1) and pricing_model_id = $2 and resource_id is not null) as granted
       join resource r on r.id = granted.resource_id,
       lateral resource_capacity(granted.subscription_id, r.id, $3) as c,
       lateral resource_use(granted.subscription_id, r.id, $3) as u
     order by granted.subscription_id, r.slug`,
    [subscriptions.map(({ id }) => id), session.pricingModelId, at],
  );
  return rows.map(({ capacity, claimed, reserved, ...of }) => ({
    ...of,
    capacity: Number(capacity),
    claimed: Number(claimed),
    reserved: Number(reserved),
    at,
  }));
}

interface OneOf {
  readonly subscriptionId: string;
  readonly resourceSlug?: string | null | undefined;
  readonly resourceId?: string | null | undefined;
}

/**
 * How much of one resource a subscription has and has taken. Errors: NOT_FOUND for a subscription or resource
 * that is unknown, and for a resource that the subscription has no feature for; BAD_REQUEST for both or
 * neither of slug and id.
 */
export async function resourceUsage(
  session: Session,
  { subscriptionId, resourceSlug, resourceId }: OneOf,
): Promise<UsageAt> {
  if ((resourceSlug == null) === (resourceId == null)) {
    throw invalid('resourceSlug', 'give either resourceSlug or resourceId');
  }
  const resource = await resourceBy(
    session,
    resourceSlug == null ? { id: resourceId ?? '' } : { slug: resourceSlug },
  );
  const usages = await resourceUsages(session, { subscriptionId, resourceIds: [resource.id] });
  if (usages[0]) return usages[0];
  throw new DomainError(
    'NOT_FOUND',
    `Resource ${resource.slug} is granted by no feature of ${subscriptionId}`,
  );
}

/** The active claims of a usage, oldest first; the first 10,000 of them. */
export function claimsOf({ em }: Session, { subscriptionId, resourceId, at }: UsageAt) {
  return activeClaims(em, { subscriptionId, resourceId }, at);
}

/**
 * The active claims of a subscription, of one resource if its slug is given, oldest first; the first 10,000
 * of them. Errors: NOT_FOUND for an unknown subscription or slug.
 */
export async function activeClaimsOf(
  session: Session,
  { subscriptionId, resourceSlug }: Omit<OneOf, 'resourceId'>,
): Promise<ResourceClaim[]> {
  const { em } = session;
  const subscription = await readById(session, Subscription, subscriptionId);
  const resource = resourceSlug == null ? null : await resourceBy(session, { slug: resourceSlug });
  const at = await nowOf(session, await ownerOf(session, subscription));
  return activeClaims(em, { subscriptionId, ...(resource && { resourceId: resource.id }) }, at);
}

/** Of what has not been released, what has not expired by an instant either (reference §8.1). */
export const activeAt = (at: Date) => ({
  releasedAt: null,
  $or: [{ expiredAt: null }, { expiredAt: { $gt: at } }],
});

const activeClaims = (em: Session['em'], of: object, at: Date) =>
  em.find(
    ResourceClaim,
    { ...of, ...activeAt(at) },
    { orderBy: { claimedAt: 'asc', position: 'asc' }, limit: mostListed },
  );

const resourceBy = ({ em }: Session, where: { id: string } | { slug: string }) =>
  em.findOneOrFail(Resource, where);
