import type { EntityManager } from '@mikro-orm/postgresql';
import { ApiKey } from '#domain/api-keys/api-key.ts';
import { revokeApiKey } from '#domain/api-keys/revoke-api-key.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { openSession, type Scope } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/pricing-models/pricing-model.ts';
import { deleteTestClock } from '#domain/test-clocks/delete-test-clock.ts';
import { TestClock } from '#domain/test-clocks/test-clock.ts';
import { demoName } from './make-demo.ts';
import { sessionOf } from './world.ts';

/**
 * Revokes the keys of the demo, and deletes its customers with all their records. The catalog stays under another name
 * and out of sale, because events of the feed name its objects. Errors: NOT_FOUND.
 */
export async function removeDemo(
  em: EntityManager,
  place: Omit<Scope, 'now' | 'pricingModelId'>,
  now: Date,
) {
  const outside = openSession(em, { ...place, pricingModelId: '', now });
  const model = await outside.em.findOne(PricingModel, { name: demoName });
  if (!model) throw new DomainError('NOT_FOUND', 'There is no demo to remove');
  const scope = { ...place, pricingModelId: model.id };
  const own = await sessionOf({ em, scope });
  const keys = await own.em.find(ApiKey, { pricingModelId: model.id, active: true });
  for (const { id } of keys) await revokeApiKey(await sessionOf({ em, scope }), { id });
  const clocks = await own.em.find(TestClock, { pricingModelId: model.id });
  for (const { id } of clocks) await deleteTestClock(await sessionOf({ em, scope }), { id });
  return model.id;
}
