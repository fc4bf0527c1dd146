import type { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { halfUp } from '#domain/kernel/decimal.ts';
import type { Session } from '#domain/kernel/session.ts';
import { OneOffCharge } from '#domain/one-off-charges/one-off-charge.ts';
import { withAmount } from '#domain/prices/cost.ts';
import { pricingAtInstant } from '#domain/prices/pricing.ts';
import { followItemTrials } from '#domain/rules/adjusting/follow-item-trials.ts';
import { worthAfter } from '#domain/rules/adjusting/proration.ts';
import {
  discountedChange,
  listedStretchOf,
  stretchOf,
} from '#domain/rules/adjusting/share-period.ts';
import { pendingRests, restText } from '#domain/rules/adjusting/trial-rests.ts';
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
  let whole = period ? await wholeOf(session, period) : { worth: 0, listed: 0 };
  for (const item of all) {
    const { unitPrice, quantity, pricing = null } = item;
    const tried = pricingAtInstant(pricing, now);
    if (tried === pricing) continue;
    const before = planTotal(items);
    Object.assign(item, withAmount({ unitPrice, quantity, pricing: tried }));
    if (!period || !items.includes(item)) continue;
    const change = { oldTotal: before, newTotal: planTotal(items), startsPeriod: false };
    const total = worthAfter(whole.worth, discountedChange(period, change));
    const listed = worthAfter(whole.listed, change);
    const more = { worth: total - whole.worth, listed: listed - whole.listed };
    whole = { worth: total, listed };
    chargeRest(session, subscription, period, { item, ...more });
  }
  await em.flush();
  await followItemTrials(session, subscription);
}

/** The worth of a whole period with the rests that are charged so far; minor units after its discount, and before it. */
async function wholeOf(session: Session, period: BillingPeriod) {
  const rests = await pendingRests(session, period);
  const [stretch, listed] = [await stretchOf(period, rests), await listedStretchOf(period, rests)];
  return { worth: stretch.total + rests.worth, listed: listed.total + rests.listed };
}

/** The running period, if the plan is charged in it: not in a trial of the subscription, nor in a pause of its billing. */
async function chargedPeriod(session: Session, subscription: Subscription) {
  if (!subscription.isCharged || subscription.pausesBilling) return null;
  const period = await currentPeriod(session, subscription);
  const isRunning = period && period.startDate <= session.now && session.now < period.endDate;
  return isRunning && !period.trialPeriod && !period.paidElsewhere ? period : null;
}

/** An item with its worth in a whole period, in minor units: after the discount of the period, and before it. */
interface Charged {
  readonly item: SubscriptionItem;
  readonly worth: number;
  readonly listed: number;
}

/** Charges an item for the rest of the period. */
function chargeRest(
  { em, now }: Session,
  subscription: Subscription,
  period: BillingPeriod,
  { item, worth, listed }: Charged,
) {
  const { startDate, cycleStart, endDate } = period;
  const start = cycleStart ?? startDate;
  const [rest, length] = [endDate.getTime() - now.getTime(), endDate.getTime() - start.getTime()];
  const unitPrice = halfUp(BigInt(worth) * BigInt(rest), BigInt(length));
  if (unitPrice <= 0) return;
  const [since, until] = [now.getTime(), endDate.getTime()];
  em.create(OneOffCharge, {
    subscription,
    customerId: subscription.customerId,
    name: item.name,
    description: restText(since, until),
    quantity: 1,
    unitPrice,
    price: item.price ?? null,
    invoice: null,
    billedAt: null,
    billingPeriod: period,
    trialRest: { since, until, worth, listed, amount: unitPrice },
  });
}
