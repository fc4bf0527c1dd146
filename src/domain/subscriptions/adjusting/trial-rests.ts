import type { Session } from '#domain/kernel/session.ts';
import { proportion } from '#domain/kernel/values/decimal.ts';
import { OneOffCharge, type TrialRest } from '#domain/model/invoicing/one-off-charge.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';

/** The pending one-off charges for the rest of a period, and the worth of their items in a whole one. */
export interface PendingRests {
  readonly charges: readonly OneOffCharge[];
  /** Minor units after the discount of the period; less where the seller has reduced a charge. */
  readonly worth: number;
  /** The same before that discount. */
  readonly listed: number;
}

/** The pending charges of a period that no change of its plan has ended; the subscription is locked. */
export async function pendingRests(
  { em }: Pick<Session, 'em'>,
  { id }: BillingPeriod,
): Promise<PendingRests> {
  const all = await em.find(OneOffCharge, { billingPeriod: id, billedAt: null });
  const charges = all.filter(({ trialRest }) => trialRest && !trialRest.isCut);
  const sum = (field: 'worth' | 'listed') =>
    charges.reduce((sum, { amount, trialRest }) => {
      const { [field]: whole = 0, amount: first = 1 } = trialRest ?? {};
      return sum + proportion(amount, whole, first);
    }, 0);
  return { charges, worth: sum('worth'), listed: sum('listed') };
}

/** Reduces pending charges to the days until `at`, from which on the period charges the items, or has ended. */
export function cutRests({ em }: Pick<Session, 'em'>, { charges }: PendingRests, at: Date) {
  for (const charge of charges) {
    const { trialRest } = charge;
    if (!trialRest) continue;
    const { since, until } = trialRest;
    const passed = Math.min(until, Math.max(since, at.getTime())) - since;
    const unitPrice = proportion(charge.unitPrice, passed, until - since);
    if (unitPrice === 0) {
      em.remove(charge);
      continue;
    }
    charge.unitPrice = unitPrice;
    charge.description = restText(trialRest, Math.min(until, at.getTime()));
    charge.trialRest = { ...trialRest, isCut: true };
  }
}

/** The description of a charge for the rest of a period until an instant, in milliseconds since 1970. */
export const restText = ({ since, isPhase }: Pick<TrialRest, 'since' | 'isPhase'>, until: number) =>
  `${isPhase ? 'Change of the plan' : 'After its trial'}, for ${dayOf(since)} to ${dayOf(until)}`;

const dayOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);
