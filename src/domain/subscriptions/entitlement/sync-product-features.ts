import { LockMode } from '@mikro-orm/core';
import { DomainError, type Issue, invalidInput } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Feature } from '#domain/model/catalog/feature.ts';
import type { Product } from '#domain/model/catalog/product.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { detachFeatures } from './detach-features.ts';
import { requireRoom } from './most-features.ts';

/**
 * Makes a locked product grant exactly the given features: missing ones are added or renewed, others
 * expire. Errors: BAD_REQUEST with one issue for each feature that cannot be granted.
 */
export async function syncProductFeatures(
  session: Session,
  product: Product,
  featureIds: readonly string[],
) {
  const { em, now } = session;
  const granted = await em.find(ProductFeature, { product: product.id });
  const touched = new Set([...featureIds, ...granted.map(({ featureId }) => featureId)]);
  const locked = await lockFeaturesAlone(session, [...touched]);
  // Read again, since a deactivation may have ended some before the lock on the features.
  const grants =
    granted.length > 0
      ? await em.find(ProductFeature, { product: product.id }, { refresh: true })
      : [];

  const byId = new Map(locked.map((feature) => [feature.id, feature]));
  const issues = featureIds.flatMap((id, index) => {
    const problem = grantProblem(id, byId.get(id));
    return problem ? [{ ...problem, path: ['featureIds', index] }] : [];
  });
  if (issues.length > 0) throw new DomainError('BAD_REQUEST', invalidInput, { issues });
  requireRoom(touched.size, 'featureIds');

  const present = await presentOf(session);
  const listed = new Set(featureIds);
  await detachFeatures(
    session,
    grants.filter(({ featureId }) => !listed.has(featureId)),
  );
  for (const grant of grants) {
    if (!listed.has(grant.featureId)) grant.expire(now);
    else if (grant.isExpired(present)) grant.renew();
    listed.delete(grant.featureId);
  }
  for (const id of listed) em.create(ProductFeature, { product, feature: id });
}

/**
 * The present time. A transaction that locked the product before may have begun later than this session, and the
 * grants that it ended have ended.
 */
async function presentOf({ em, now }: Session): Promise<Date> {
  const [{ present }] = await em.execute<[{ present: string }]>(
    'select greatest(clock_timestamp(), ?::timestamptz) as present',
    [now],
  );
  return new Date(present);
}

/**
 * Locks features against change while their grants are read. Deactivations and commands that end grants lock them
 * exclusively, so they wait or come first. The lock order prevents deadlocks: the product first, if at all, then its
 * features in this order.
 */
export function lockFeatures(
  { em }: Session,
  ids: readonly string[],
  lockMode: LockMode.PESSIMISTIC_READ | LockMode.PESSIMISTIC_WRITE = LockMode.PESSIMISTIC_READ,
): Promise<Feature[]> {
  const options = { lockMode, refresh: true, orderBy: { id: 'asc' } } as const;
  return em.find(Feature, { id: { $in: [...ids] } }, options);
}

/**
 * The same for a command that ends their grants: each subscription that begins meanwhile has its features before, and is
 * detached, or finds that the grant has ended.
 */
export const lockFeaturesAlone = (session: Session, ids: readonly string[]): Promise<Feature[]> =>
  lockFeatures(session, ids, LockMode.PESSIMISTIC_WRITE);

/** Why a product cannot grant the feature, if there is a reason. */
export function grantProblem(
  id: string,
  feature: Feature | undefined,
): Pick<Issue, 'code' | 'message'> | undefined {
  if (!feature) return { code: 'NOT_FOUND', message: `Unknown feature ${id}` };
  if (!feature.active) return { code: 'ARCHIVED', message: `${id} is not active` };
  return undefined;
}
