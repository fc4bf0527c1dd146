import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { LockedRun } from '#domain/platform/locks/lock-run.ts';

const minute = 60_000;
/** How long a run waits for other subscriptions whose invoices are consolidated with its own, in milliseconds. */
export const mostWait = 60 * minute;

/** A subscription that has no boundary due in its period, and does not end or pause, is kept in it by a payment. */
const renewed = { canceledAt: null, pausedAt: null, renews: true } as const;

/**
 * Has a run wait whose invoice may be consolidated, while another subscription of its customer has not crossed a
 * boundary of that instant or before. The payment of a plan change may keep it in its period. The run waits for an hour
 * at most, so that a boundary that cannot be crossed does not stop the others. The first period never waits, because its
 * subscriber may be present. Test clocks cross all boundaries of an instant before its runs. Returns whether it waits.
 */
export async function awaitBoundaries({ session, run, subscription, consolidates }: LockedRun) {
  if (!consolidates || run.testClockId || run.attemptNumber > 1) return false;
  const { em, now } = session;
  if (run.awaitsSince && now.getTime() - run.awaitsSince.getTime() >= mostWait) return false;
  const period = await run.billingPeriod.loadOrFail();
  if (period.startDate <= subscription.startDate) return false;
  const uncrossed = {
    customer: run.customerId,
    id: { $ne: subscription.id },
    $or: [
      { transitionDueAt: { $lte: run.scheduledFor } },
      { transitionDueAt: null, currentBillingPeriodEnd: { $lte: run.scheduledFor }, ...renewed },
    ],
  };
  if ((await em.count(Subscription, uncrossed)) === 0) return false;
  run.awaitsSince ??= now;
  run.dueAt = new Date(now.getTime() + minute);
  return true;
}
