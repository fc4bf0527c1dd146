import { isPaid } from '#domain/invoicing/crediting/amount-paid.ts';
import type { Session } from '#domain/kernel/session.ts';
import { BillingRun, openRunStatuses } from '#domain/model/money/billing-run.ts';
import type { Remittance } from '#domain/model/money/remittance.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { openExternalPayment, type Share } from './external-payment.ts';
import { followPaid } from './run-outcomes.ts';

/**
 * Pays a locked invoice with a part of a receipt. An invoice that is paid in full follows as a charged one does: its
 * run succeeds, its adjustment is applied, its subscription is in good standing, and scheduled tries are aborted. This
 * is the one place in which a payment by hand ends what else collects the invoice.
 */
export async function settleByReceipt(
  session: Session,
  customer: Customer,
  remittance: Remittance,
  share: Share,
  subscription: Subscription | null,
) {
  const { em } = session;
  const { invoice } = share;
  openExternalPayment(session, remittance, share);
  customer.creditBalance += share.credited;
  await em.flush();
  // One that was written off stays so: its credit note does not change, and the customer has the amount as a credit.
  if (!invoice.isPayable && invoice.amountWaived > 0) return;
  if (!(await isPaid(session, invoice))) return;
  const open = { invoice: invoice.id, status: { $in: [...openRunStatuses] } };
  const run = await em.findOne(BillingRun, open);
  await followPaid(session, { run, invoice, subscription });
}
