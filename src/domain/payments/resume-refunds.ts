import type { EntityManager } from '@mikro-orm/postgresql';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { openSession, report } from '#domain/kernel/session.ts';
import { executeRefund } from '#domain/rules/collection/execute-refund.ts';

interface Pending {
  readonly id: string;
  readonly organizationId: string;
  readonly pricingModelId: string;
  readonly livemode: boolean;
}

/**
 * Resumes, for every tenant, refunds whose process has stopped on the way. The processor executes each refund once.
 * Returns how many there were.
 */
export async function resumeRefunds(
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<number> {
  const pending = await em.execute<Pending[]>(
    `select id, organization_id as "organizationId", pricing_model_id as "pricingModelId", livemode
     from refund where status = 'pending' order by created_at limit 500`,
  );
  for (const { id, ...tenant } of pending) {
    const session = openSession(em, { ...tenant, keyType: 'secret', now, causeId, onFailure });
    await executeRefund(session, id).catch((error) => report(session, id, error));
  }
  return pending.length;
}
