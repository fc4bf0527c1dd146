import { DomainError, invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import {
  type PhaseItem,
  SubscriptionPhase,
} from '#domain/model/subscriptions/subscription-phase.ts';
import { nextBoundary } from '#domain/subscriptions/periods/next-boundary.ts';
import { followPhases, plannedPhases } from './follow-phases.ts';
import { mostPhases, type PhaseInput, type PhaseItemInput } from './phase-input.ts';
import { requireAmount } from './require-applicable.ts';
import { resolveItems } from './resolve-items.ts';

/**
 * Plans a phase of a locked subscription. `after` counts from the start of the last planned phase, otherwise from the end
 * of the trial or the start of the subscription. Errors: BAD_REQUEST with paths below `field`, for too many phases, a
 * start that is past or taken, and items that the subscription cannot have.
 */
export async function planPhase(
  session: Session,
  subscription: Subscription,
  input: PhaseInput,
  field: string,
): Promise<SubscriptionPhase> {
  const { em } = session;
  const planned = await plannedPhases(session, subscription);
  if (planned.length >= mostPhases) {
    const why = `${subscription.id} has ${mostPhases} planned phases, the most that it may have`;
    throw invalid('OUT_OF_RANGE', `${field}.startsAt`, why);
  }
  const { trialEnd, startDate } = subscription;
  const from = planned.at(-1)?.startsAt ?? trialEnd ?? startDate;
  const { after } = input;
  const startsAt = after
    ? nextBoundary(from, { unit: after.interval, count: after.intervalCount ?? 1 }, from)
    : (input.startsAt as Date);
  requireStart(session, subscription, {
    others: planned,
    startsAt,
    field: `${field}.${after ? 'after' : 'startsAt'}`,
  });
  const phase = em.create(SubscriptionPhase, {
    subscription,
    customerId: subscription.customerId,
    startsAt,
    timing: input.timing ?? 'with_period',
    items: await itemsOfPhase(session, subscription, input.items, `${field}.items`),
    startedAt: null,
    problem: null,
  });
  await em.flush();
  await followPhases(session, subscription);
  return phase;
}

/**
 * Skips the planned phases of a locked subscription that are due with a period that an adjustment begins at `at`: the
 * items of the adjustment were chosen later, and are paid for.
 */
export async function skipPhases(session: Session, subscription: Subscription, at: Date) {
  for (const phase of await plannedPhases(session, subscription))
    if (phase.startsAt <= at) phase.status = 'skipped';
  await followPhases(session, subscription);
}

interface PlannedStart {
  readonly others: readonly SubscriptionPhase[];
  readonly startsAt: Date;
  readonly field: string;
}

/**
 * Checks the start of a phase. Errors: BAD_REQUEST for one that is not in the future, that is not after the start of the
 * first period, or that another phase has.
 */
export function requireStart(
  { now }: Session,
  { currentBillingPeriodStart: begun }: Subscription,
  { others, startsAt, field }: PlannedStart,
) {
  if (startsAt <= now)
    throw invalid('OUT_OF_RANGE', field, `must be after ${now.toISOString()}, the present`);
  if (begun && startsAt <= begun)
    throw invalid(
      'OUT_OF_RANGE',
      field,
      `must be after ${begun.toISOString()}, when the first billing period begins`,
    );
  const same = others.find((other) => other.startsAt.getTime() === startsAt.getTime());
  if (same) throw invalid('TAKEN', field, `is the start of ${same.id} already`);
}

/**
 * The items of a phase by their prices. Errors: BAD_REQUEST for items that the subscription cannot have; CONFLICT for a
 * second subscription at price 0 of the customer.
 */
export async function itemsOfPhase(
  session: Session,
  subscription: Subscription,
  items: readonly PhaseItemInput[],
  field: string,
): Promise<PhaseItem[]> {
  try {
    const newSubscriptionItems = items.map((item) => ({ ...item, quantity: item.quantity ?? 1 }));
    const adjustment = { timing: 'immediately' as const, newSubscriptionItems };
    const resolved = await resolveItems(session, subscription, [], adjustment);
    requireAmount([], resolved, 'adjustment.newSubscriptionItems');
    return resolved.map(({ priceId, quantity }, place) => {
      const { unitPrice, discountPercentage, name, keepsRetired } = items[place] ?? {};
      return {
        priceId,
        quantity,
        ...(unitPrice != null && { unitPrice }),
        ...(discountPercentage !== undefined && { discountPercentage }),
        ...(name != null && { name }),
        ...(keepsRetired && { keepsRetired }),
      };
    });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'BAD_REQUEST') throw error;
    const [issue] = error.issues;
    if (!issue) throw error;
    const path = issue.path.join('.').replace('adjustment.newSubscriptionItems', field);
    throw invalid(issue.code, path, issue.message);
  }
}

/** Refuses a subscription whose items cannot change with a period. Errors: BAD_REQUEST. */
export function requirePhases(subscription: Subscription, field: string) {
  const { id, status, isTerminal, isFreePlan, doNotCharge, renews } = subscription;
  const refuse = (why: string) => invalid('INVALID_STATE', field, `${id} ${why}`);
  if (isTerminal) throw refuse(`is ${status}`);
  if (isFreePlan) throw refuse('is a free plan: subscribe to a paid one instead');
  if (doNotCharge) throw refuse('has doNotCharge set: its items do not change');
  if (!renews) throw refuse('has no billing periods');
}
