import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';
import { type DueRow, dueSweep } from '#domain/kernel/for-each-due.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { processorOf } from '#domain/money/processing/processor-of.ts';

const pageSize = 100;
const leaseSeconds = 3_600;

/**
 * Detaches the payment methods at their processors that were detached here, of every tenant. One whose processor does
 * not answer is tried again after an hour; those of a disconnected account wait for it. Returns how many there were.
 */
export const detachAtProcessors = dueSweep(
  (em, now) => ({ page: () => claimDetached(em, now), pageSize }),
  detach,
);

/** Claims payment methods of any tenant for an hour; other processes skip those that are being claimed. */
const claimDetached = (em: EntityManager, now: Date) =>
  em.execute<DueRow[]>(
    `update payment_method set detach_due_at = ?::timestamptz + interval '${leaseSeconds} seconds'
       where id in (
         select m.id from payment_method m join processor_account a on a.id = m.processor_account_id
         where m.detach_due_at <= ? and a.disconnected_at is null and ${isServed('m.organization_id')}
         order by m.detach_due_at, m.id limit ${pageSize} for update of m skip locked)
       returning id, organization_id as "organizationId", pricing_model_id as "pricingModelId", livemode`,
    [now, now],
  );

async function detach(session: Session, { id }: DueRow) {
  const { em, pricingModelId } = session;
  const method = await em.findOneOrFail(PaymentMethod, id);
  const processor = await processorOf(session, method);
  await processor.detachMethod(session, method.openToken());
  await em.execute(
    'update payment_method set detach_due_at = null where id = ? and pricing_model_id = ?',
    [id, pricingModelId],
  );
}
