import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment, pendingPaymentStatuses } from '#domain/payments/payment.ts';
import { replacingRun } from '#domain/rules/adjusting/require-adjustable.ts';
import { isPaid } from '#domain/rules/invoicing/amount-paid.ts';
import { paymentMethodFor } from '#domain/rules/invoicing/payment-method-for.ts';
import { lockRun } from '#domain/rules/locks/lock-run.ts';
import { openPayment, patienceMilliseconds } from './open-payment.ts';
import { followFailure, followPaid } from './run-outcomes.ts';

/** A payment that is to be carried out by the processor. */
export interface BegunPayment {
  readonly paymentId: string;
  /** Whether the processor may have been asked before: then it is asked what has become of it first. */
  readonly resumed: boolean;
}

/**
 * The second step of a run: writes down what the processor is going to be asked, before it is. Answers
 * nothing when there is nothing that could pay, and the run has failed then; and while somebody pays the
 * invoice by hand, which the run waits for.
 */
export function beginPayment(session: Session, runId: string): Promise<BegunPayment | undefined> {
  return command(session, async (session) => {
    const { run, subscription, session: then } = await lockRun(session, runId);
    const pending = { billingRunId: run.id, status: { $in: ['processing'] as const } };
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
    const other = await session.em.findOne(Payment, {
      status: { $in: [...pendingPaymentStatuses] },
      // An adjustment of the period is charged for together with what is owed for it.
      $or: [
        { invoice: invoice.id },
        { billingPeriodId: run.billingPeriodId, invoice: { isAdjustment: true } },
      ],
    });
    if (other || isReplaced) {
      // An invoice is paid once at a time: when the other payment comes to nothing, it is this run's turn.
      const settled = other?.checkDueAt ?? then.now;
      run.dueAt = new Date(settled.getTime() + patienceMilliseconds);
      return undefined;
    }
    const method = await paymentMethodFor(then, subscription);
    if (!method) {
      const reason = 'There is no payment method to charge';
      await followFailure(then, { run, invoice, subscription }, reason);
      return undefined;
    }
    const payment = await openPayment(then, invoice, method, run, subscription);
    return { paymentId: payment.id, resumed: false };
  });
}
