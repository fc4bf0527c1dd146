import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '#domain/kernel/errors.ts';
import { deletePricingModel } from '#domain/pricing-models/delete-pricing-model.ts';
import { findDemo, type Place } from './found-demo.ts';
import { sessionOf } from './world.ts';

/** Deletes the demo with all its records. Errors: NOT_FOUND. */
export async function removeDemo(em: EntityManager, place: Place) {
  const demo = await findDemo(em, place);
  if (!demo) throw new DomainError('NOT_FOUND', 'There is no demo to remove');
  await deletePricingModel(sessionOf({ em, scope: { ...place, pricingModelId: demo.id } }));
}
