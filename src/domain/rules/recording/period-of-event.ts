import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import type { Session } from '#domain/kernel/session.ts';
import { afterEnd, noPeriod, type Period } from '#domain/rules/ledger/ledger.ts';
import { periodOf } from '#domain/rules/ledger/roll-over-usage.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import { OwedUsage } from '#domain/usage-balances/owed-usage.ts';
import type { UsageEvent } from '#domain/usage-events/usage-event.ts';

/** The period that an event of a locked subscription counts for, and whether an invoice has billed it. */
export async function periodOfEvent(
  { em }: Session,
  subscription: Subscription,
  { billingPeriodId, usageMeterId }: UsageEvent,
): Promise<{ period: Period; isBilled: boolean }> {
  if (!billingPeriodId) {
    const balance = { subscription: subscription.id, usageMeter: usageMeterId };
    const billed = { balance, billingPeriodId: noPeriod.id, invoiceLineItem: { $ne: null } };
    const isBilled = (await em.count(OwedUsage, billed)) > 0;
    // While the subscription continues, the running period bills it at its end.
    return { period: { ...noPeriod, closed: subscription.isTerminal && isBilled }, isBilled };
  }
  const period = await em.findOneOrFail(BillingPeriod, billingPeriodId, { refresh: true });
  const current = subscription.currentBillingPeriodStart?.getTime();
  const closed = subscription.isTerminal || period.startDate.getTime() !== current;
  return { period: periodOf(period, closed), isBilled: period.usageBilledAt != null };
}

/** The period that an event counts for, as ledgers name it. */
export const periodIdOf = ({ billingPeriodId, afterEnd: isAfterEnd }: UsageEvent): string =>
  isAfterEnd ? afterEnd.id : (billingPeriodId ?? noPeriod.id);
