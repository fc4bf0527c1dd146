import type { EntityManager } from '@mikro-orm/postgresql';
import { deletePricingModel } from '#domain/catalog/commands/pricing-models/delete-pricing-model.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { revokeApiKey } from '#domain/platform/commands/api-keys/revoke-api-key.ts';
import { findDemo, type Place } from './found-demo.ts';
import { sessionOf } from './world.ts';

/** Deletes the demo with all its records. Errors: NOT_FOUND. */
export async function removeDemo(em: EntityManager, place: Place) {
  const demo = await findDemo(em, place);
  if (!demo) throw new DomainError('NOT_FOUND', 'There is no demo to remove');
  const own = { em, scope: { ...place, pricingModelId: demo.id } };
  // Processes that know a key hear of its end by an event, which must be committed before all events are deleted.
  const keys = await sessionOf(own).em.find(ApiKey, { active: true });
  for (const { id } of keys) await revokeApiKey(sessionOf(own), { id });
  await deletePricingModel(sessionOf(own));
}
