import type { BillingPeriod, PeriodCredit } from '#domain/billing-periods/billing-period.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import { proportion } from '#domain/kernel/decimal.ts';
import { type PaidInPeriod, paidInPeriod } from '#domain/rules/invoicing/paid-in-period.ts';
import type { LockedSubscription } from '#domain/rules/locks/lock-subscription.ts';
import { settingsOf } from '#domain/rules/locks/settings-of.ts';
import { fairAmount, type PlanChange } from './proration.ts';
import { stretchOf } from './share-period.ts';

/** What a prorated adjustment moves, in minor units. */
export interface AdjustmentAmounts {
  /** What is charged for now, before tax. */
  readonly charge: number;
  /** The invoice of the period that could not be paid, in whose place this is paid. */
  readonly unpaid: Invoice | null;
  /** What goes to the customer's balance now. */
  readonly credit: PeriodCredit;
  /** What goes there once the period has been paid for that is still being paid. */
  readonly awaitedCredit: PeriodCredit;
}

const none: PeriodCredit = { amount: 0, withTax: 0 };

/** What moves without proration. */
export const nothing: AdjustmentAmounts = {
  charge: 0,
  unpaid: null,
  credit: none,
  awaitedCredit: none,
};

/**
 * What a period of a held subscription is worth with a change at the present, against what has been paid for it.
 * A trial costs nothing, whatever the plan.
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

/** What is paid too much: of what is here, now; of what is still coming in, when it has come in. */
function creditsOf({ kept, keptWithTax, awaited, awaitedWithTax }: PaidInPeriod, fair: number) {
  const now = Math.max(0, kept - fair);
  const then = Math.max(0, kept + awaited - fair) - now;
  return {
    credit: { amount: now, withTax: proportion(now, keptWithTax, kept) },
    awaitedCredit: { amount: then, withTax: proportion(then, awaitedWithTax, awaited) },
  };
}
