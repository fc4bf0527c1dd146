import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';
import { type DueRow, dueSweep } from '#domain/kernel/for-each-due.ts';
import { chargePayment } from '#domain/money/collection/charge-payment.ts';

const pageSize = 100;
/** A lookup that fails is repeated after 1 minute, and then after the present age of the payment. */
const leaseSeconds = { least: 60, most: 3_600 };

/**
 * Asks the processor for the final status of due payments. These are processing, were interrupted by a crash, or have
 * been open for too long. Returns how many there were.
 */
export const checkDuePayments = dueSweep(
  (em, now) => ({ page: () => claimDuePayments(em, now), pageSize }),
  (session, { id }) => chargePayment(session, { paymentId: id, resumed: true }),
);

/** Leases the earliest due payments of any tenant; other processes skip payments that are being leased. */
function claimDuePayments(em: EntityManager, now: Date): Promise<DueRow[]> {
  return em.execute<DueRow[]>(
    `update payment set check_due_at = greatest(?::timestamptz, now()) + least(greatest(now() - charge_date,
       interval '${leaseSeconds.least} seconds'), interval '${leaseSeconds.most} seconds')
     where id in (
       select id from payment where test_clock_id is null and check_due_at <= ? and ${isServed()}
       order by test_clock_id, check_due_at, id limit ${pageSize} for update skip locked)
     returning id, organization_id as "organizationId", pricing_model_id as "pricingModelId", livemode`,
    [now, now],
  );
}
