import type { Session } from '#domain/kernel/session.ts';
import { halfUp } from '#domain/kernel/values/decimal.ts';
import type { Price } from '#domain/model/catalog/price.ts';
import { OneOffCharge, type TrialRest } from '#domain/model/invoicing/one-off-charge.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { currentPeriod } from '#domain/platform/reads/current-period.ts';
import { listedStretchOf, stretchOf } from '#domain/subscriptions/adjusting/share-period.ts';
import { pendingRests, restText } from '#domain/subscriptions/adjusting/trial-rests.ts';

/** A worth in a whole period, in minor units: after the discount of the period, and before it. */
interface Worth {
  readonly worth: number;
  readonly listed: number;
}

/** The worth that a period charges from its start or its last prorated change on, and that with its pending rests. */
export async function worthsOf(session: Session, period: BillingPeriod) {
  const rests = await pendingRests(session, period);
  const [stretch, listed] = [await stretchOf(period, rests), await listedStretchOf(period, rests)];
  const charged: Worth = { worth: stretch.total, listed: listed.total };
  const whole: Worth = {
    worth: stretch.total + rests.worth,
    listed: listed.total + rests.listed,
  };
  return { charged, whole, rests };
}

/** The running period, if the plan is charged in it: not in a trial of the subscription, nor in a pause of its billing. */
export async function chargedPeriod(session: Session, subscription: Subscription) {
  if (!subscription.isCharged || subscription.pausesBilling) return null;
  const period = await currentPeriod(session, subscription);
  const isRunning = period && period.startDate <= session.now && session.now < period.endDate;
  return isRunning && !period.trialPeriod && !period.paidElsewhere ? period : null;
}

/** A part of the plan whose worth is charged apart from the period. */
interface Charged extends Worth, Pick<TrialRest, 'isPhase'> {
  readonly name: string;
  readonly price: Price | null;
}

/** Charges a part of the plan of a locked subscription for the rest of its period, with the next invoice. */
export function chargeRest(
  { em, now }: Session,
  subscription: Subscription,
  period: BillingPeriod,
  { name, price, worth, listed, isPhase }: Charged,
) {
  const { endDate, wholeStart: start } = period;
  const [left, length] = [endDate.getTime() - now.getTime(), endDate.getTime() - start.getTime()];
  const unitPrice = halfUp(BigInt(worth) * BigInt(left), BigInt(length));
  if (unitPrice <= 0) return;
  const rest = { since: now.getTime(), until: endDate.getTime(), ...(isPhase && { isPhase }) };
  em.create(OneOffCharge, {
    subscription,
    customerId: subscription.customerId,
    name,
    description: restText(rest, rest.until),
    quantity: 1,
    unitPrice,
    price,
    invoice: null,
    billedAt: null,
    billingPeriod: period,
    trialRest: { ...rest, worth, listed, amount: unitPrice },
  });
}
