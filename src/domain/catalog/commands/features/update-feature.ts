import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { variantProblems } from '#domain/catalog/feature-variant.ts';
import { command } from '#domain/kernel/command.ts';
import { DomainError, invalid, invalidInput } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, sameId } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch } from '#domain/kernel/values/patch.ts';
import { Feature, featureTypes } from '#domain/model/catalog/feature.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { rolloverTerms } from '#domain/model/catalog/rollover.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { detachFeatures } from '#domain/subscriptions/entitlement/detach-features.ts';
import { checkReferences, featureFields } from './feature-input.ts';

export const updateFeatureInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    feature: z.object(changesTo({ id: z.string(), type: z.enum(featureTypes), ...featureFields })),
  })
  .refine(...sameId('feature'));

export type UpdateFeatureInput = z.output<typeof updateFeatureInput>;

/**
 * Changes a feature, not its type. Deactivating it ends it on every product. Activating it again restores it on those
 * products, and on no other. A rollover of null ends it for later grants. Errors: NOT_FOUND; BAD_REQUEST for a taken slug, another type, a field of another type.
 */
export function updateFeature(
  session: Session,
  { id, feature: changes, expectedVersion }: UpdateFeatureInput,
) {
  return command(session, async (session) => {
    const { em, now } = session;
    const feature = await em.findOneOrFail(Feature, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    expectVersion(feature, expectedVersion);
    const { slug, name, description, amount, renewalFrequency, usageMeterId, resourceId } = changes;
    const { per, rollover } = changes;
    if (changes.type != null && changes.type !== feature.type) {
      throw invalid(
        'IMMUTABLE',
        'feature.type',
        `cannot change: ${id} is a ${feature.type} feature`,
      );
    }
    const problems = variantProblems(feature.type, {
      amount: amount ?? feature.amount,
      usageMeterId: usageMeterId ?? feature.usageMeterId,
      renewalFrequency: renewalFrequency ?? feature.renewalFrequency,
      per: per ?? feature.per,
      rollover: rollover === undefined ? feature.rollover : rollover,
      resourceId: resourceId ?? feature.resourceId,
    });
    if (problems.length > 0) {
      const issues = problems.map(({ path, ...problem }) => ({
        ...problem,
        path: ['feature', path],
      }));
      throw new DomainError('BAD_REQUEST', invalidInput, { issues });
    }
    await checkReferences(session, changes);

    if (usageMeterId)
      feature.usageMeter = em.getReference(UsageMeter, usageMeterId, { wrapped: true });
    if (resourceId) feature.resource = em.getReference(Resource, resourceId, { wrapped: true });
    patch(feature, { slug, name, description, amount, renewalFrequency, per });
    if (rollover !== undefined) feature.rollover = rolloverTerms(rollover);
    if (changes.active === false && feature.active) await deactivate(session, feature, now);
    if (changes.active === true && !feature.active) await activate(session, feature);
    return feature;
  });
}

async function deactivate(session: Session, feature: Feature, now: Date) {
  const { em } = session;
  feature.active = false;
  feature.deactivatedAt = now;
  await em.flush();
  await eachBatch(session, { feature: feature.id }, async (grants, flush) => {
    for (const grant of grants) grant.expire(now);
    await flush();
    await detachFeatures(session, grants);
  });
}

async function activate(session: Session, feature: Feature) {
  const expiredAt = feature.deactivatedAt ?? null;
  feature.active = true;
  feature.deactivatedAt = null;
  if (!expiredAt) return;
  await session.em.flush();
  await eachBatch(session, { feature: feature.id, expiredAt }, async (grants, flush) => {
    for (const grant of grants) grant.renew();
    await flush();
  });
}

/** How many grants one flush writes: the ORM compares all that it knows at once, and serves no other request. */
const batchSize = 500;

/** Changes the grants that satisfy a condition in the order of their ids, in batches within the transaction. */
async function eachBatch(
  session: Session,
  where: { readonly feature: string; readonly expiredAt?: Date },
  change: (grants: readonly ProductFeature[], flush: () => Promise<void>) => Promise<void>,
) {
  for (let last = ''; ; ) {
    const em = session.em.fork({ keepTransactionContext: true });
    const options = { orderBy: { id: 'asc' }, limit: batchSize } as const;
    const grants = await em.find(ProductFeature, { ...where, id: { $gt: last } }, options);
    await change(grants, () => em.flush());
    if (grants.length < batchSize) return;
    last = grants.at(-1)?.id ?? '';
  }
}
