import { amountDue } from '#domain/invoicing/crediting/amount-paid.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { BillingRun } from '#domain/model/money/billing-run.ts';
import type { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { BegunPayment } from './begin-payment.ts';
import { openJointPayment, type Share } from './open-joint-payment.ts';

/** An invoice whose payment has failed, and the backup method that is charged for it next. */
export interface BackupShare {
  readonly method: PaymentMethod;
  readonly run: BillingRun;
  readonly subscription: Subscription;
  readonly invoice: Invoice;
}

/** Writes the payments by backup methods after a charge has failed: invoices with the same one share a charge again. */
export async function openBackups(
  session: Session,
  shares: readonly BackupShare[],
): Promise<BegunPayment[]> {
  const begun: BegunPayment[] = [];
  for (const alike of Map.groupBy(shares, ({ method }) => method.id).values()) {
    const due: Share[] = [];
    for (const { method: _, ...share } of alike)
      due.push({ ...share, due: await amountDue(session, share.invoice) });
    const [first, ...others] = due;
    if (!first || !alike[0]) continue;
    const { id: paymentId } = await openJointPayment(session, [first, ...others], alike[0].method);
    begun.push({ paymentId, resumed: false });
  }
  return begun;
}
