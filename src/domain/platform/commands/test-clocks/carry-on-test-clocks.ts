import type { EntityManager } from '@mikro-orm/postgresql';
import { Failures } from '#domain/kernel/failures.ts';
import { type DueRow, forEachDue } from '#domain/kernel/for-each-due.ts';
import { carryOn } from './advance-test-clock.ts';

/**
 * Resumes, for every tenant, the clocks that are being advanced: their process may have stopped. If another process
 * advances the same clock, both take its steps. Returns how many there were. Errors: one that names the clocks that
 * have failed, when all others have arrived.
 */
export async function carryOnTestClocks(em: EntityManager, now: Date, causeId: string) {
  const page = () =>
    em.execute<DueRow[]>(
      `select id, organization_id as "organizationId", pricing_model_id as "pricingModelId", false as livemode
       from test_clock where status = 'advancing' order by updated_at, id`,
    );
  const failures = new Failures();
  const sweep = { em, now, causeId, onFailure: failures.add };
  const count = await forEachDue(sweep, { page }, (session, { id }) => carryOn(session, id));
  failures.throwIfAny();
  return count;
}
