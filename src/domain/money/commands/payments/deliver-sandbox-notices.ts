import { isServed } from '#domain/kernel/absent-organizations.ts';
import { type DueRow, dueSweep } from '#domain/kernel/for-each-due.ts';
import { deliverSandboxNotice } from '#domain/money/collection/sandbox-notices.ts';

const most = 200;

/**
 * Delivers the notices of the sandbox that are due, in place of a processor that sends them. Notices about payments on a
 * test clock follow the clock. Returns how many there were.
 */
export const deliverSandboxNotices = dueSweep(
  (em, now) => ({
    page: () =>
      em.execute<DueRow[]>(
        `select n.id::text as id, p.organization_id as "organizationId", p.pricing_model_id as "pricingModelId", p.livemode
       from sandbox_notice n join payment p on p.idempotency_key = n.charge_key
       where n.delivered_at is null and n.due_at <= ? and p.test_clock_id is null and ${isServed('p.organization_id')}
       order by n.due_at, n.id limit ${most}`,
        [now],
      ),
  }),
  (session, { id }) => deliverSandboxNotice(session, Number(id)),
);
