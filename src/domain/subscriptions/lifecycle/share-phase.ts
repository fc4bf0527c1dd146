import { taxRuleOn } from '#domain/invoicing/crediting/tax-rule.ts';
import { amountsOf } from '#domain/model/catalog/tax.ts';
import type { BillingPeriod, PeriodCredit } from '#domain/model/subscriptions/billing-period.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { adjustmentAmounts } from '#domain/subscriptions/adjusting/adjustment-amounts.ts';
import type { AdjustmentPlan } from '#domain/subscriptions/adjusting/plan-adjustment.ts';
import { fairAmount, usedAmount, worthAfter } from '#domain/subscriptions/adjusting/proration.ts';
import { discountedChange, stretchOf } from '#domain/subscriptions/adjusting/share-period.ts';
import { cutRests, pendingRests } from '#domain/subscriptions/adjusting/trial-rests.ts';
import { mostExpensiveItem } from '#domain/subscriptions/entitlement/most-expensive-item.ts';
import { chargedPeriod, chargeRest, worthsOf } from './charge-rest.ts';
import { creditPeriod } from './credit-period.ts';

/** Whether the period is prorated by the change, and the amount that is credited once it is paid. */
interface Shared {
  readonly prorates: boolean;
  readonly awaitedCredit?: PeriodCredit;
}

/**
 * Settles the rest of the running period of a locked subscription for a phase that starts now. A dearer plan becomes a
 * one-off charge for the rest, which the next invoice bills. A cheaper one reduces such charges first, then the period:
 * the overpaid amount is credited to the customer's balance, as with an adjustment.
 */
export async function sharePhase(
  locked: LockedSubscription,
  { oldTotal, newTotal, newItems }: AdjustmentPlan,
): Promise<Shared> {
  const { session, subscription } = locked;
  const period = await chargedPeriod(session, subscription);
  if (!period) return { prorates: false };
  const { charged, whole, rests } = await worthsOf(session, period);
  const change = { oldTotal, newTotal, startsPeriod: false };
  const worth = worthAfter(whole.worth, discountedChange(period, change));
  const listed = worthAfter(whole.listed, change);
  if (worth === whole.worth && listed === whole.listed) return { prorates: false };
  const isCut = worth < whole.worth;
  if (isCut) cutRests(session, rests, session.now);
  await session.em.flush();
  if (worth < charged.worth) return creditRest(locked, period, change);
  const before = isCut ? charged : whole;
  const main = mostExpensiveItem(newItems);
  chargeRest(session, subscription, period, {
    name: main?.name ?? subscription.name ?? '',
    price: main?.price ?? null,
    worth: worth - before.worth,
    listed: Math.max(0, listed - before.listed),
    isPhase: true,
  });
  return { prorates: false };
}

/** Credits the amount by which the payments for a period exceed its worth after a change at present. */
async function creditRest(
  locked: LockedSubscription,
  period: BillingPeriod,
  change: Pick<AdjustmentPlan, 'oldTotal' | 'newTotal'> & { readonly startsPeriod: boolean },
): Promise<Shared> {
  const { session, customer } = locked;
  const { credit, awaitedCredit, unpaid } = await adjustmentAmounts(locked, period, change);
  if (!unpaid) {
    await creditPeriod(session, customer, period, credit.amount);
    return { prorates: true, awaitedCredit };
  }
  // The invoice is owed as it is, so the overpaid amount waits for its payment.
  const { prorationCredit } = await settingsOf(session);
  const stretch = await stretchOf(period, await pendingRests(session, period));
  const fair = fairAmount(stretch, session.now, discountedChange(period, change));
  const over =
    prorationCredit === 'balance' ? Math.max(0, usedAmount(stretch, stretch.endDate) - fair) : 0;
  const withTax = amountsOf(over, taxRuleOn(unpaid)).total;
  return { prorates: true, awaitedCredit: { amount: over, withTax } };
}
