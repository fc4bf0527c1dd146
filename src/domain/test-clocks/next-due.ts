import { BillingRun, oldestDebtFirst } from '#domain/billing-runs/billing-run.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';
import { openRefundStatuses, Refund } from '#domain/payments/refund.ts';
import { nextExpiry } from '#domain/rules/capacity/expire-claims.ts';
import { chargePayment } from '#domain/rules/collection/charge-payment.ts';
import { executeBillingRun } from '#domain/rules/collection/execute-billing-run.ts';
import { executeRefund } from '#domain/rules/collection/execute-refund.ts';
import { nextFollowUp } from '#domain/rules/collection/follow-up-invoice.ts';
import { nextSandboxNotice } from '#domain/rules/collection/sandbox-notices.ts';
import { nextCreditExpiry } from '#domain/rules/ledger/expire-credits.ts';
import { transitionSubscription } from '#domain/rules/lifecycle/transition-subscription.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';

/** One step that is due for the customers of a clock. */
export interface Due {
  readonly at: Date;
  execute(session: Session): Promise<unknown>;
}

/**
 * The earliest step that is due on a clock by an instant. At one instant boundaries come before runs, runs before
 * lookups of payments, and those before reminders. Of several runs the one for the oldest period comes first.
 */
export async function nextDue(
  session: Session,
  testClockId: string,
  by: Date,
): Promise<Due | undefined> {
  const { em } = session;
  const [boundary, run, payment, notice, refund, followUp, expiry, credit] = [
    await em.findOne(
      Subscription,
      { testClockId, transitionDueAt: { $lte: by } },
      {
        orderBy: {
          transitionDueAt: 'asc',
          createdAt: 'asc',
          isFreePlan: 'desc',
          position: 'asc',
          id: 'asc',
        },
      },
    ),
    await em.findOne(
      BillingRun,
      { testClockId, dueAt: { $lte: by } },
      { orderBy: { dueAt: 'asc', ...oldestDebtFirst } },
    ),
    await em.findOne(
      Payment,
      { testClockId, checkDueAt: { $lte: by } },
      {
        orderBy: {
          checkDueAt: 'asc',
          chargeDate: 'asc',
          createdAt: 'asc',
          position: 'asc',
          id: 'asc',
        },
      },
    ),
    await nextSandboxNotice(session, testClockId, by),
    await em.findOne(
      Refund,
      { testClockId, checkDueAt: { $lte: by }, status: { $in: [...openRefundStatuses] } },
      { orderBy: { checkDueAt: 'asc', createdAt: 'asc', position: 'asc', id: 'asc' } },
    ),
    await nextFollowUp(session, testClockId, by),
    await nextExpiry(session, testClockId, by),
    await nextCreditExpiry(session, testClockId, by),
  ];
  const candidates: Due[] = [
    ...(boundary?.transitionDueAt
      ? [
          {
            at: boundary.transitionDueAt,
            execute: (session: Session) => transitionSubscription(session, boundary.id),
          },
        ]
      : []),
    ...(run?.dueAt
      ? [{ at: run.dueAt, execute: (session: Session) => executeBillingRun(session, run.id) }]
      : []),
    ...(payment?.checkDueAt
      ? [
          {
            at: payment.checkDueAt,
            execute: (session: Session) =>
              chargePayment(session, { paymentId: payment.id, resumed: true }),
          },
        ]
      : []),
    ...(notice ? [notice] : []),
    ...(refund?.checkDueAt
      ? [
          {
            at: refund.checkDueAt,
            execute: (session: Session) => executeRefund(session, refund.id),
          },
        ]
      : []),
    ...(followUp ? [followUp] : []),
    ...(expiry ? [expiry] : []),
    ...(credit ? [credit] : []),
  ];
  // Sorting keeps the order of steps at the same instant.
  return candidates.toSorted((a, b) => a.at.getTime() - b.at.getTime())[0];
}
