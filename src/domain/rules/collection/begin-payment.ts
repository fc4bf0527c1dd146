import type { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment, pendingPaymentStatuses } from '#domain/payments/payment.ts';
import { replacingRun } from '#domain/rules/adjusting/require-adjustable.ts';
import { isPaid } from '#domain/rules/invoicing/amount-paid.ts';
import { lockRun } from '#domain/rules/locks/lock-run.ts';
import { chargeableMethod } from './chargeable-method.ts';
import { openPayment } from './open-payment.ts';
import { patienceMilliseconds } from './payment-patience.ts';
import { followFailure, followPaid } from './run-outcomes.ts';
import { sendInstead } from './send-instead.ts';

/** A payment that the processor is to execute. */
export interface BegunPayment {
  readonly paymentId: string;
  /** Whether an earlier request may have reached the processor; then its outcome is looked up first. */
  readonly resumed: boolean;
}

/**
 * The second step of a run: stores the payment before the processor is asked for it. Returns nothing without a
 * payment method, and the run has failed then. It also returns nothing for an invoice that is sent instead, and while
 * another payment of the invoice is pending, for which the run waits.
 */
export function beginPayment(session: Session, runId: string): Promise<BegunPayment | undefined> {
  return command(session, async (session) => {
    const { run, subscription, session: then } = await lockRun(session, runId);
    const pending = { billingRunId: run.id, status: { $in: [...pendingPaymentStatuses] } };
    if (run.status === 'awaiting_payment_confirmation') {
      const payment = await session.em.findOne(Payment, pending);
      return payment ? { paymentId: payment.id, resumed: true } : undefined;
    }
    const invoice = run.status === 'started' ? await run.invoice?.loadOrFail() : undefined;
    if (!invoice) return undefined;
    const isReplaced = !run.isAdjustment && (await replacingRun(then, invoice)) !== null;
    if (!isReplaced && (await isPaid(then, invoice))) {
      await followPaid(then, { run, invoice, subscription });
      return undefined;
    }
    if (invoice.isSent) {
      await sendInstead(then, { run, invoice, subscription });
      return undefined;
    }
    const other = await pendingPayment(then, run, invoice.id);
    if (other || isReplaced) {
      // An invoice has one payment at a time: when the other one fails, this run follows.
      const settled = other?.checkDueAt ?? then.now;
      run.dueAt = new Date(settled.getTime() + patienceMilliseconds);
      return undefined;
    }
    const { method, reason } = await chargeableMethod(then, subscription);
    if (!method) {
      await followFailure(then, { run, invoice, subscription }, reason);
      return undefined;
    }
    const payment = await openPayment(then, invoice, method, run, subscription);
    return { paymentId: payment.id, resumed: false };
  });
}

/** The payment of the invoice, or of another one for the same period, whose outcome is open. */
async function pendingPayment(
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
