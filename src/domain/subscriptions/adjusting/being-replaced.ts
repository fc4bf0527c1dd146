import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun, openRunStatuses } from '#domain/model/money/billing-run.ts';

/**
 * Whether an adjustment that replaces an unpaid invoice is being paid, so that the invoice cannot be paid meanwhile. One
 * statement for all invoices of a level of a document.
 */
export async function isBeingReplaced(
  session: Session,
  { id, billingPeriodId, isPayable }: Invoice,
): Promise<boolean> {
  if (!billingPeriodId || !isPayable) return false;
  const runs = await batched(session, isBeingReplaced, billingPeriodId, async ({ em }, ids) => {
    const adjusting = { billingPeriod: { $in: [...ids] }, purpose: 'adjustment' } as const;
    const status = { $in: [...openRunStatuses] };
    return Map.groupBy(
      await em.find(BillingRun, { ...adjusting, status }),
      ({ billingPeriodId }) => billingPeriodId,
    );
  });
  return (runs ?? []).some(({ adjustment }) => adjustment?.replacedInvoiceId === id);
}
