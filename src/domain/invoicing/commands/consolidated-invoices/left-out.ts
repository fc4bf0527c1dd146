import type { Session } from '#domain/kernel/session.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { type DifferingTerm, differingTerm } from '#domain/money/collection/runs-together.ts';

/** Why a subscription has no invoice in the next document, in plain words. */
export const leftOutReasons = {
  not_consolidated: 'The invoices of the customer are not consolidated.',
  never_charged: 'It is never charged.',
  free_plan: 'Its plan is free.',
  trial: 'It is in a trial then.',
  paused: 'It is paused then.',
  ended: 'It has ended by then.',
  no_payment_method: 'It has no payment method.',
  awaits_payment: 'It waits for a payment.',
  other_instant: 'It is billed at another instant.',
  other_currency: 'It is billed in another currency.',
  other_collection_method: 'One is charged automatically, and the other is sent.',
  other_due_date: 'Its invoices are due after another number of days.',
  other_payment_method: 'It is paid with another payment method.',
  written_later: 'Its invoice could not be written, and is written alone.',
  nothing_to_bill: 'It has nothing to bill then.',
  alone: 'No other subscription is billed at the same instant with the same terms.',
} as const;

type LeftOutReason = keyof typeof leftOutReasons;

/** A subscription that has no invoice in the next document. */
export interface LeftOut {
  readonly subscriptionId: string;
  readonly reason: LeftOutReason;
  /** When its next boundary or billing run is; null where none is known. */
  readonly nextAt: Date | null;
}

const ofTerm = {
  currency: 'other_currency',
  collectionMethod: 'other_collection_method',
  daysUntilDue: 'other_due_date',
  paymentMethodId: 'other_payment_method',
} as const satisfies Readonly<Record<DifferingTerm, LeftOutReason>>;

/** The subscriptions that are not in a document, as of the instant at which a run of it, or one alone, was executed. */
export async function leftOutOf(
  locked: { readonly session: Session; readonly customer: Customer },
  others: readonly Subscription[],
  executed: BillingRun | null,
): Promise<LeftOut[]> {
  const found: LeftOut[] = [];
  for (const subscription of others) {
    const nextAt = await nextAtOf(locked.session, subscription);
    const reason =
      (executed && (await reasonOfRun(locked, subscription, executed))) ??
      reasonOfStatus(locked.session, subscription, nextAt);
    found.push({ subscriptionId: subscription.id, reason, nextAt });
  }
  return found;
}

/** The reason of a subscription with a first run of the same instant; null where it has none. */
async function reasonOfRun(
  locked: { readonly session: Session; readonly customer: Customer },
  subscription: Subscription,
  executed: BillingRun,
): Promise<LeftOutReason | null> {
  if (subscription.doNotCharge || subscription.isTerminal) return null;
  if (subscription.id === executed.subscriptionId) return 'alone';
  const run = await locked.session.em.findOne(BillingRun, {
    subscription: subscription.id,
    scheduledFor: executed.scheduledFor,
    ...{ purpose: 'period', attemptNumber: 1, status: { $ne: 'aborted' } },
  });
  if (!run) return null;
  const billed = await executed.subscription.loadOrFail();
  const term = await differingTerm(locked, billed, subscription);
  if (term) return ofTerm[term];
  return run.status === 'scheduled' && run.failsSince ? 'written_later' : 'nothing_to_bill';
}

function reasonOfStatus(
  { now }: Session,
  subscription: Subscription,
  nextAt: Date | null,
): LeftOutReason {
  const { status, trialEnd } = subscription;
  if (subscription.doNotCharge) return 'never_charged';
  if (subscription.isTerminal) return 'ended';
  if (status === 'paused') return 'paused';
  if (subscription.isFreePlan) return 'free_plan';
  if (trialEnd && trialEnd > now) return 'trial';
  if (status === 'incomplete' || status === 'unpaid') return 'awaits_payment';
  if (!subscription.canContinue) return 'no_payment_method';
  // A payment keeps it in its period.
  if (!nextAt && subscription.renews) return 'awaits_payment';
  return nextAt ? 'other_instant' : 'nothing_to_bill';
}

async function nextAtOf({ em }: Session, { id, isTerminal, transitionDueAt }: Subscription) {
  const first = { subscription: id, purpose: 'period', attemptNumber: 1 } as const;
  const where = { ...first, status: 'scheduled' } as const;
  const run = await em.findOne(BillingRun, where, { orderBy: { scheduledFor: 'asc' } });
  const boundary = isTerminal ? null : (transitionDueAt ?? null);
  if (!run || (boundary && boundary < run.scheduledFor)) return boundary;
  return run.scheduledFor;
}
