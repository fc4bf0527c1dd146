import type { EntityManager } from '@mikro-orm/postgresql';
import { openSession } from '../session.ts';
import { carryOn } from './advance-test-clock.ts';
import type { TestClock } from './test-clock.ts';

/**
 * Carries on, for every tenant, with the clocks that are on their way: their process may have stopped. One
 * that is being advanced elsewhere at the same time takes its steps from both. Answers how many there were.
 */
export async function carryOnTestClocks(em: EntityManager, now: Date, causeId: string) {
  const clocks = await em.execute<Pick<TestClock, 'id' | 'organizationId' | 'pricingModelId'>[]>(
    `select id, organization_id as "organizationId", pricing_model_id as "pricingModelId" from test_clock
     where status = 'advancing' order by id limit 100`,
  );
  for (const { id, ...tenant } of clocks) {
    const session = openSession(em, {
      ...tenant,
      livemode: false,
      keyType: 'secret',
      now,
      causeId,
    });
    await carryOn(session, id);
  }
  return clocks.length;
}
