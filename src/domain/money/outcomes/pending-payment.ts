import type { Session } from '#domain/kernel/session.ts';
import type { BillingRun } from '#domain/model/money/billing-run.ts';
import { Payment, pendingPaymentStatuses } from '#domain/model/money/payment.ts';

/** The payment of the invoice of a run, or of another one for the same period, whose outcome is open. */
export async function pendingPayment(
  { em }: Session,
  { customerId, billingPeriodId }: BillingRun,
  invoice: string,
): Promise<Payment | null> {
  const open = { customerId, status: { $in: [...pendingPaymentStatuses] } };
  // Nearly all customers have no open payment.
  if ((await em.count(Payment, open)) === 0) return null;
  return em.findOne(Payment, {
    ...open,
    // An adjustment includes amounts owed for the period, and a period has one charge at a time.
    $or: [{ invoice }, { billingPeriodId, invoice: { purpose: { $ne: 'period' } } }],
  });
}
