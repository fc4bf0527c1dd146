import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { planTotal } from '#domain/model/subscriptions/planned-item.ts';

/** Closes a period at its end: completed when nothing is owed for it, past due otherwise. A final status stays. */
export async function closePeriod(session: Session, period: BillingPeriod, isCharged: boolean) {
  if (period.isTerminal) return;
  const owes = isCharged && (await isOwed(session, period));
  period.status = owes ? 'past_due' : 'completed';
}

const isLate = ({ isSent, overdueAt }: Invoice) => !isSent || overdueAt != null;

async function isOwed({ em }: Session, period: BillingPeriod): Promise<boolean> {
  const invoices = await em.find(Invoice, { billingPeriod: period.id });
  // One that is sent is not late before it is overdue.
  if (invoices.length > 0) return invoices.some((one) => one.isPayable && isLate(one));
  if (period.prepaid || period.paidElsewhere) return false;
  const items = await period.items.loadItems();
  return planTotal(items) > 0;
}
