import { nextDiscount } from '#domain/invoicing/billing/discount-period.ts';
import { invoicesPaidFor } from '#domain/invoicing/billing/invoices-paid-for.ts';
import { type PaidInPeriod, paidInPeriod } from '#domain/invoicing/billing/paid-in-period.ts';
import { creditable } from '#domain/invoicing/crediting/credit-invoices.ts';
import { sumOfParts, unusedParts } from '#domain/invoicing/crediting/unused-parts.ts';
import type { Session } from '#domain/kernel/session.ts';
import { proportion } from '#domain/kernel/values/decimal.ts';
import { type DiscountTerms, discounted } from '#domain/model/catalog/discount-terms.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { BillingPeriod, PeriodCredit } from '#domain/model/subscriptions/billing-period.ts';
import type { ChargeBasis } from '#domain/model/subscriptions/planned-item.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { fairAmount, type PlanChange, type Stretch, usedAmount } from './proration.ts';
import { discountedChange, listedStretchOf, stretchOf } from './share-period.ts';
import { pendingRests } from './trial-rests.ts';

/** The amounts of a prorated adjustment, in minor units. */
export interface AdjustmentAmounts {
  /** The amount that is charged now, before tax. */
  readonly charge: number;
  /** The discount that has reduced it, with its terms. */
  readonly discount: { readonly amount: number; readonly terms: DiscountTerms } | null;
  /** The values that the charge is computed from; null without proration. */
  readonly basis: ChargeBasis | null;
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
  discount: null,
  basis: null,
  unpaid: null,
  credit: none,
  awaitedCredit: none,
};

/**
 * Compares the worth of a locked subscription's period, with a change at the present, with the payments for it. A
 * trial costs nothing, whatever the plan. The discount of the period reduces both. A whole new period has the next one,
 * unless it replaces a discounted period from its first instant on.
 */
export async function adjustmentAmounts(
  { session, customer, subscription }: LockedSubscription,
  period: BillingPeriod,
  listed: PlanChange,
): Promise<AdjustmentAmounts> {
  if (period.trialPeriod) return nothing;
  const { now } = session;
  const own = period.discount ?? null;
  const waits = !own && !period.paidElsewhere;
  const isNext = listed.startsPeriod && (waits || period.startDate < now);
  const [redemption, rests, paid, { prorationCredit }] = await Promise.all([
    isNext ? nextDiscount(session, subscription) : null,
    pendingRests(session, period),
    paidInPeriod(session, customer, period),
    settingsOf(session),
  ]);
  const terms = isNext ? (redemption?.terms ?? null) : own;
  const newTotal = discounted(terms, listed.newTotal, subscription.currency);
  const stretch = await stretchOf(period, rests);
  const change = { ...discountedChange(period, listed), newTotal };
  const fair = fairAmount(stretch, now, change);
  const charge = Math.max(0, fair - paid.paid);
  const credits = prorationCredit === 'balance' ? await creditsOf(session, period, paid, fair) : {};
  const before = await listedStretchOf(period, rests);
  const given = discountGiven(paid.paid, stretch, before);
  const amount = fairAmount(before, now, listed) - fair - given;
  const shown = terms ?? own;
  const discount = shown && charge > 0 && amount > 0 ? { amount, terms: shown } : null;
  const basis = basisOf(stretch, change, paid.paid);
  return { ...nothing, charge, discount, basis, unpaid: paid.unpaid, ...credits };
}

const basisOf = (
  { startDate, endDate, since, used, total, apart }: Stretch,
  change: PlanChange,
  paid: number,
): ChargeBasis => ({
  start: startDate.getTime(),
  end: endDate.getTime(),
  since: since.getTime(),
  used,
  total,
  ...(apart && { apart }),
  oldTotal: change.oldTotal,
  newTotal: change.newTotal,
  startsPeriod: change.startsPeriod,
  paid,
});

/** The part of a period's discount that its payments have used. */
function discountGiven(paid: number, stretch: Stretch, listed: Stretch): number {
  const worth = usedAmount(stretch, stretch.endDate);
  const discount = usedAmount(listed, listed.endDate) - worth;
  return worth === 0 ? discount : proportion(Math.min(paid, worth), discount, worth);
}

/** The amounts beyond a fair one: of received money, credited now; of awaited money, credited when it is received. */
async function creditsOf(
  session: Session,
  period: BillingPeriod,
  { kept, awaited, awaitedWithTax }: PaidInPeriod,
  fair: number,
) {
  const now = Math.max(0, kept - fair);
  const then = Math.max(0, kept + awaited - fair) - now;
  const invoices = now > 0 ? await invoicesPaidFor(session, period) : [];
  const { total } = sumOfParts(await unusedParts(session, invoices, now, creditable));
  return {
    credit: { amount: now, withTax: total },
    awaitedCredit: { amount: then, withTax: proportion(then, awaitedWithTax, awaited) },
  };
}
