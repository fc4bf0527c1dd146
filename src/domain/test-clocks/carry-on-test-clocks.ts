import type { EntityManager } from '@mikro-orm/postgresql';
import { Failures } from '#domain/kernel/failures.ts';
import { openSession } from '#domain/kernel/session.ts';
import { carryOn } from './advance-test-clock.ts';
import type { TestClock } from './test-clock.ts';

/**
 * Resumes, for every tenant, the clocks that are being advanced: their process may have stopped. If another process
 * advances the same clock, both take its steps. Returns how many there were. Errors: one that names the clocks that
 * have failed, when all others have arrived.
 */
export async function carryOnTestClocks(em: EntityManager, now: Date, causeId: string) {
  const clocks = await em.execute<Pick<TestClock, 'id' | 'organizationId' | 'pricingModelId'>[]>(
    `select id, organization_id as "organizationId", pricing_model_id as "pricingModelId" from test_clock
     where status = 'advancing' order by updated_at, id`,
  );
  const failures = new Failures();
  for (const { id, ...tenant } of clocks) {
    const session = openSession(em, {
      ...tenant,
      livemode: false,
      keyType: 'secret',
      now,
      causeId,
    });
    await failures.attempt(id, () => carryOn(session, id));
  }
  failures.tell();
  return clocks.length;
}
