import type { BillingPeriod, PeriodCredit } from '#domain/billing-periods/billing-period.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import { proportion } from '#domain/kernel/decimal.ts';
import { type PaidInPeriod, paidInPeriod } from '#domain/rules/invoicing/paid-in-period.ts';
import type { LockedSubscription } from '#domain/rules/locks/lock-subscription.ts';
import { settingsOf } from '#domain/rules/reads/settings-of.ts';
import { fairAmount, type PlanChange } from './proration.ts';
import { stretchOf } from './share-period.ts';

/** The amounts of a prorated adjustment, in minor units. */
export interface AdjustmentAmounts {
  /** The amount that is charged now, before tax. */
  readonly charge: number;
  /** The unpaid invoice of the period that the adjustment replaces. */
  readonly unpaid: Invoice | null;
  /** The amount that is credited to the customer's balance now. */
  readonly credit: PeriodCredit;
  /** The amount that is credited once the period that is being paid is paid. */
  readonly awaitedCredit: PeriodCredit;
}

const none: PeriodCredit = { amount: 0, withTax: 0 };

/** The amounts without proration. */
export const nothing: AdjustmentAmounts = {
  charge: 0,
  unpaid: null,
  credit: none,
  awaitedCredit: none,
};

/**
 * Compares the worth of a locked subscription's period, with a change at the present, with the payments for it. A
 * trial costs nothing, whatever the plan.
 */
export async function adjustmentAmounts(
  { session, customer }: LockedSubscription,
  period: BillingPeriod,
  change: PlanChange,
): Promise<AdjustmentAmounts> {
  if (period.trialPeriod) return nothing;
  const fair = fairAmount(await stretchOf(period), session.now, change);
  const paid = await paidInPeriod(session, customer, period);
  const charge = Math.max(0, fair - paid.paid);
  const { prorationCredit } = await settingsOf(session);
  const credits = prorationCredit === 'balance' ? creditsOf(paid, fair) : {};
  return { ...nothing, charge, unpaid: paid.unpaid, ...credits };
}

/** The overpaid amounts: of received money, credited now; of awaited money, credited when it is received. */
function creditsOf({ kept, keptWithTax, awaited, awaitedWithTax }: PaidInPeriod, fair: number) {
  const now = Math.max(0, kept - fair);
  const then = Math.max(0, kept + awaited - fair) - now;
  return {
    credit: { amount: now, withTax: proportion(now, keptWithTax, kept) },
    awaitedCredit: { amount: then, withTax: proportion(then, awaitedWithTax, awaited) },
  };
}
