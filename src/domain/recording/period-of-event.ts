import type { Session } from '#domain/kernel/session.ts';
import { periodOf } from '#domain/metering/credits/roll-over-usage.ts';
import { afterEnd, comingPeriod, noPeriod, type Period } from '#domain/metering/ledger/ledger.ts';
import { OwedUsage } from '#domain/model/metering/owed-usage.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { lastPeriodOf } from '#domain/platform/reads/current-period.ts';

/** The period that an event of a locked subscription counts for, and whether an invoice has billed it. */
export async function periodOfEvent(
  session: Session,
  subscription: Subscription,
  { billingPeriodId, usageMeterId }: UsageEvent,
): Promise<{ period: Period; isBilled: boolean }> {
  const { em } = session;
  if (!billingPeriodId) {
    const isBilled = await isBilledIn(session, subscription, usageMeterId, noPeriod.id);
    // While the subscription continues, the running period bills it at its end.
    return { period: { ...noPeriod, closed: subscription.isTerminal && isBilled }, isBilled };
  }
  const period = await em.findOne(BillingPeriod, billingPeriodId, { refresh: true });
  if (!period) return comingOf(session, subscription, { billingPeriodId, usageMeterId });
  const current = subscription.currentBillingPeriodStart?.getTime();
  const closed = subscription.isTerminal || period.startDate.getTime() !== current;
  return { period: periodOf(period, closed), isBilled: period.usageBilledAt != null };
}

/** The same for a period that has not opened, and that does not open any more where the subscription has ended. */
async function comingOf(
  session: Session,
  subscription: Subscription,
  { billingPeriodId, usageMeterId }: { billingPeriodId: string; usageMeterId: string },
) {
  const last = await lastPeriodOf(session, subscription);
  const coming = last ? comingPeriod(periodOf(last, true)) : noPeriod;
  const isBilled = await isBilledIn(session, subscription, usageMeterId, billingPeriodId);
  const { isTerminal, canceledAt } = subscription;
  const end = canceledAt?.getTime() ?? coming.end;
  return { period: { ...coming, id: billingPeriodId, end, closed: isTerminal }, isBilled };
}

/** Whether usage that counts for a period without a record is on an invoice. */
async function isBilledIn(
  { em }: Session,
  { id: subscription }: Subscription,
  usageMeter: string,
  billingPeriodId: string,
): Promise<boolean> {
  const balance = { subscription, usageMeter };
  return (
    (await em.count(OwedUsage, { balance, billingPeriodId, invoiceLineItem: { $ne: null } })) > 0
  );
}

/** The period that an event counts for, as ledgers name it. */
export const periodIdOf = ({ billingPeriodId, afterEnd: isAfterEnd }: UsageEvent): string =>
  isAfterEnd ? afterEnd.id : (billingPeriodId ?? noPeriod.id);
