import type { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { halfUp } from '#domain/kernel/decimal.ts';
import type { Session } from '#domain/kernel/session.ts';
import { OneOffCharge } from '#domain/one-off-charges/one-off-charge.ts';
import { withAmount } from '#domain/prices/cost.ts';
import { pricingAtInstant } from '#domain/prices/pricing.ts';
import { followItemTrials } from '#domain/rules/adjusting/follow-item-trials.ts';
import { currentPeriod } from '#domain/rules/reads/current-period.ts';
import { pricedItemsOf } from '#domain/rules/reads/items-of.ts';
import { isPlanItem, type SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { planTotal } from '#domain/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

/**
 * Ends the trials of the items of a locked subscription that are due now. The rest of the running period becomes a
 * one-off charge for each, which the next invoice bills; the next period charges the items as others.
 */
export async function endItemTrials(session: Session, subscription: Subscription) {
  const { em, now } = session;
  const all = await pricedItemsOf(session, subscription);
  const items = all.filter((item) => item.isActive(now) && isPlanItem(item));
  const period = await chargedPeriod(session, subscription);
  for (const item of all) {
    const { unitPrice, quantity, pricing = null } = item;
    const after = pricingAtInstant(pricing, now);
    if (after === pricing) continue;
    const before = planTotal(items);
    Object.assign(item, withAmount({ unitPrice, quantity, pricing: after }));
    if (!period || !items.includes(item)) continue;
    const worth = period.worthOf(planTotal(items)) - period.worthOf(before);
    chargeRest(session, subscription, period, { item, worth });
  }
  await em.flush();
  await followItemTrials(session, subscription);
}

/** The running period, if the plan is charged in it: not in a trial of the subscription, nor in a pause of its billing. */
async function chargedPeriod(session: Session, subscription: Subscription) {
  const { isCharged, status, pauseBilling } = subscription;
  if (!isCharged || (status === 'paused' && pauseBilling !== 'keeps')) return null;
  const period = await currentPeriod(session, subscription);
  const isRunning = period && period.startDate <= session.now && session.now < period.endDate;
  return isRunning && !period.trialPeriod && !period.paidElsewhere ? period : null;
}

/** Charges an item, which is worth so much in a whole period, for the rest of the period. */
function chargeRest(
  { em, now }: Session,
  subscription: Subscription,
  { startDate, cycleStart, endDate }: BillingPeriod,
  { item, worth }: { readonly item: SubscriptionItem; readonly worth: number },
) {
  const start = cycleStart ?? startDate;
  const [rest, length] = [endDate.getTime() - now.getTime(), endDate.getTime() - start.getTime()];
  const unitPrice = halfUp(BigInt(worth) * BigInt(rest), BigInt(length));
  if (unitPrice <= 0) return;
  const day = (at: Date) => at.toISOString().slice(0, 10);
  const share = ((100 * rest) / length).toFixed(1);
  em.create(OneOffCharge, {
    subscription,
    customerId: subscription.customerId,
    name: item.name,
    description: `After its trial, for ${share} % of billing period (${day(start)} to ${day(endDate)})`,
    quantity: 1,
    unitPrice,
    price: item.price ?? null,
    invoice: null,
    billedAt: null,
  });
}
