import { mostListed } from '#domain/capacity/claim-input.ts';
import { activeAt, resourceUsagesOf, type UsageAt } from '#domain/capacity/resource-usages.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { readById } from '#domain/kernel/reads/read-by-id.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { nowOfSubscription } from '#domain/platform/reads/read-customer.ts';

const mostFiltered = 100;

interface Wanted {
  readonly resourceSlugs?: readonly string[] | null | undefined;
  readonly resourceIds?: readonly string[] | null | undefined;
}

/**
 * The present capacity and usage of a subscription, by slug, of every resource that it has or had a feature for. The
 * time does not depend on the number of claims. Slugs precede ids. Errors: NOT_FOUND; BAD_REQUEST for more than 100
 * slugs or ids.
 */
export async function resourceUsages(
  session: Session,
  { subscriptionId, resourceSlugs, resourceIds }: Wanted & { readonly subscriptionId: string },
): Promise<UsageAt[]> {
  for (const [name, wanted] of Object.entries({ resourceSlugs, resourceIds })) {
    if ((wanted?.length ?? 0) > mostFiltered)
      throw invalid('TOO_LONG', name, `must have at most ${mostFiltered} entries`);
  }
  const subscription = await readById(session, Subscription, subscriptionId);
  const usages = await resourceUsagesOf(session, [subscription]);
  if (resourceSlugs)
    return usages.filter(({ resourceSlug }) => resourceSlugs.includes(resourceSlug));
  return resourceIds ? usages.filter(({ resourceId }) => resourceIds.includes(resourceId)) : usages;
}

interface OneOf {
  readonly subscriptionId: string;
  readonly resourceSlug?: string | null | undefined;
  readonly resourceId?: string | null | undefined;
}

/**
 * The capacity and usage of one resource of a subscription. Errors: NOT_FOUND for an unknown subscription or
 * resource, and for a resource without a feature of the subscription. BAD_REQUEST for both or neither of slug and id.
 */
export async function resourceUsage(
  session: Session,
  { subscriptionId, resourceSlug, resourceId }: OneOf,
): Promise<UsageAt> {
  if ((resourceSlug == null) === (resourceId == null)) {
    throw invalid('INVALID', 'resourceSlug', 'give either resourceSlug or resourceId');
  }
  const resource = await resourceBy(
    session,
    resourceSlug == null ? { id: resourceId ?? '' } : { slug: resourceSlug },
  );
  const usages = await resourceUsages(session, { subscriptionId, resourceIds: [resource.id] });
  if (usages[0]) return usages[0];
  throw new DomainError(
    'NOT_FOUND',
    `Subscription ${subscriptionId} has no feature that grants ${resource.slug}`,
  );
}

/** The active claims of a usage, oldest first; the first 10,000 of them. */
export function claimsOf({ em }: Session, { subscriptionId, resourceId, at }: UsageAt) {
  return activeClaims(em, { subscriptionId, resourceId }, at);
}

/**
 * The first 10,000 active claims of a subscription, oldest first; of one resource if its slug is given. Errors:
 * NOT_FOUND for an unknown subscription or slug.
 */
export async function activeClaimsOf(
  session: Session,
  { subscriptionId, resourceSlug }: Omit<OneOf, 'resourceId'>,
): Promise<ResourceClaim[]> {
  const { em } = session;
  const subscription = await readById(session, Subscription, subscriptionId);
  const resource = resourceSlug == null ? null : await resourceBy(session, { slug: resourceSlug });
  const at = await nowOfSubscription(session, subscription);
  return activeClaims(em, { subscriptionId, ...(resource && { resourceId: resource.id }) }, at);
}

const activeClaims = (em: Session['em'], of: object, at: Date) =>
  em.find(
    ResourceClaim,
    { ...of, ...activeAt(at) },
    { orderBy: { claimedAt: 'asc', position: 'asc' }, limit: mostListed },
  );

const resourceBy = ({ em }: Session, where: { id: string } | { slug: string }) =>
  em.findOneOrFail(Resource, where);
