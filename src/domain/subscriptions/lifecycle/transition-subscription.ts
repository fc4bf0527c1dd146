import { expireResourceClaims } from '#domain/capacity/end-resource-claims.ts';
import { markTemporaryClaims } from '#domain/capacity/temporary-claims.ts';
import { billLastUsage } from '#domain/invoicing/billing/bill-last-usage.ts';
import { discountPeriod } from '#domain/invoicing/billing/discount-period.ts';
import { paymentMethodFor } from '#domain/invoicing/billing/payment-method-for.ts';
import { scheduleFirstRun } from '#domain/invoicing/billing/schedule-run.ts';
import { areCharged, usageLines } from '#domain/invoicing/billing/usage-lines.ts';
import { command } from '#domain/kernel/command.ts';
import { Restart } from '#domain/kernel/reads/keyed.ts';
import type { Session } from '#domain/kernel/session.ts';
import { rollOverUsage } from '#domain/metering/credits/roll-over-usage.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionStatus } from '#domain/model/subscriptions/subscription-statuses.ts';
import { atInstant } from '#domain/platform/locks/at-instant.ts';
import { lockSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { lastPeriodOf } from '#domain/platform/reads/current-period.ts';
import { itemsOf } from '#domain/platform/reads/items-of.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import {
  followMostExpensiveItem,
  planName,
} from '#domain/subscriptions/entitlement/most-expensive-item.ts';
import { closePeriod } from '#domain/subscriptions/periods/close-period.ts';
import { prorateFirst } from '#domain/subscriptions/periods/kept-cycle.ts';
import { endOfPeriod, openPeriod } from '#domain/subscriptions/periods/open-period.ts';
import { chargeOwed } from './charge-owed.ts';
import { endItemTrials } from './end-item-trials.ts';
import { endSubscription } from './end-subscription.ts';
import { executeScheduledAdjustment } from './execute-scheduled-adjustment.ts';
import { grantPurchases } from './grant-purchases.ts';
import { startPhaseWithin } from './start-phase-within.ts';
import { startPhases } from './start-phases.ts';

/**
 * Takes one subscription over one boundary that is due by its clock: closes the period, then opens the next one or
 * executes a scheduled cancellation. The end of the trial of an item, and the start of a phase within the period, come
 * before. It acts as of the boundary, so late and repeated calls have the same result. Returns whether a boundary was due.
 */
export function transitionSubscription(session: Session, id: string): Promise<boolean> {
  return command(session, async (session) => {
    const locked = await lockSubscription(session, id);
    const { subscription } = locked;
    const due = subscription.transitionDueAt;
    if (!due || due > locked.session.now || subscription.isTerminal) return false;
    const atBoundary = atInstant(locked.session, due);
    if (!subscription.pausesBilling && isDue(subscription.itemTrialEndAt, due)) {
      await endItemTrials(atBoundary, subscription);
      return true;
    }
    if (
      !subscription.pausesBilling &&
      isDue(subscription.phaseStartAt, due) &&
      !endsAt(subscription, due)
    ) {
      await startPhaseWithin({ ...locked, session: atBoundary });
      return true;
    }
    await expireResourceClaims(atBoundary, id);
    const ended = await closeCurrentPeriod(atBoundary, subscription);
    if (subscription.remainingPeriods === 0) {
      await endSubscription(atBoundary, subscription, { reason: null, thenFreePlan: true });
    } else if (subscription.status === 'paused' || isDue(subscription.pauseScheduledAt, due)) {
      await crossPaused(atBoundary, subscription, ended);
    } else if (isDue(subscription.cancelScheduledAt, due)) {
      const { cancellationCredit: credit = null } = subscription;
      await endSubscription(atBoundary, subscription, { reason: null, credit, thenFreePlan: true });
    } else if (endOfPeriod(subscription, due)) {
      await openNextPeriod(atBoundary, subscription, ended);
    } else {
      // There is no room for another period before the year 10000.
      subscription.transitionDueAt = null;
    }
    return true;
  });
}

/** Whether the running period ends at an instant, with which the next one begins. */
const endsAt = ({ currentBillingPeriodEnd: end }: Subscription, due: Date) =>
  end != null && end <= due;

const isDue = (planned: Date | null | undefined, due: Date) => planned != null && planned <= due;

/**
 * A boundary within a pause, or with which a pause begins: the usage of the ended period is billed, and no period follows.
 * A pause that keeps the billing has the next period.
 */
async function crossPaused(
  session: Session,
  subscription: Subscription,
  ended: BillingPeriod | null,
) {
  const { now } = session;
  if (subscription.status !== 'paused') subscription.pause(now);
  if (ended && subscription.pauseBilling === 'keeps') {
    await openNextPeriod(session, subscription, ended);
    if (isDue(subscription.resumesAt, now)) await resumeSubscription(session, subscription);
    return;
  }
  if (ended) {
    subscription.leavePeriod();
    await rollOverUsage(session, subscription, { ended, begun: null, grants: 'none' });
    await billLastUsage(session, subscription, ended);
  }
  if (isDue(subscription.resumesAt, now)) await resumeSubscription(session, subscription);
  else subscription.transitionDueAt = subscription.orEarlier(subscription.resumesAt ?? null);
}

/**
 * Ends the pause of a locked subscription. Within the period that it was paused in, that period continues; afterwards a
 * new one starts now, and the later ones repeat from here. Owed amounts are charged again.
 */
export async function resumeSubscription(session: Session, subscription: Subscription) {
  const { em, now } = session;
  const { currentBillingPeriodEnd: end } = subscription;
  subscription.endPause();
  subscription.status = subscription.statusAfterwards(now);
  if (end) {
    subscription.transitionDueAt = subscription.orEarlier(end);
    // An item whose trial has ended in the pause is charged from here to the end of the period.
    if (isDue(subscription.itemTrialEndAt, now)) await endItemTrials(session, subscription);
    if (isDue(subscription.phaseStartAt, now)) {
      const customer = await subscription.customer.loadOrFail();
      await startPhaseWithin({ session, customer, subscription });
    }
  } else {
    if (!subscription.anchored) subscription.billingCycleAnchorDate = now;
    await openNextPeriod(session, subscription, null);
  }
  await em.flush();
  const owes = subscription.isCharged && (await chargeOwed(session, subscription));
  if (owes && subscription.status === 'active') subscription.status = 'past_due';
  await em.flush();
  await grantPurchases(session, subscription);
  await markTemporaryClaims(session, subscription.id);
}

/**
 * Takes a subscription over all due boundaries, so that a command sees its present state even before the job has run.
 * Each boundary is a separate transaction. Within a request's transaction that one starts anew afterwards. Errors:
 * NOT_FOUND.
 */
export async function catchUp(session: Session, id: string): Promise<void> {
  const { idempotency, em, dryRun } = session;
  if (idempotency && em.isInTransaction() && !dryRun) {
    if (!(await hasDueBoundary(session, id))) return;
    idempotency.restart = (session) => catchUp(session, id);
    throw new Restart(`A boundary of ${id} is due`);
  }
  while (await transitionSubscription(session, id));
}

/** Whether a boundary is due by the clock of a subscription; nothing is locked. Errors: NOT_FOUND. */
async function hasDueBoundary(session: Session, id: string): Promise<boolean> {
  const { em, now, clock, pricingModelId } = session;
  await em.findOneOrFail(Subscription, id);
  const [found] = await em.execute<{ isDue: boolean | null }[]>(
    `select s.transition_due_at <= coalesce(c.frozen_time, ?::timestamptz, greatest(clock_timestamp(), s.updated_at)) as "isDue"
     from subscription s left join test_clock c on c.id = s.test_clock_id where s.id = ? and s.pricing_model_id = ?`,
    [clock ? null : now, id, pricingModelId],
  );
  return found?.isDue ?? false;
}

async function closeCurrentPeriod(session: Session, { id, isCharged }: Subscription) {
  const { em, now } = session;
  const period = await em.findOne(BillingPeriod, { subscription: id, endDate: now });
  if (period) await closePeriod(session, period, isCharged);
  // The event of the ended period precedes that of the new one.
  await em.flush();
  return period;
}

async function openNextPeriod(
  session: Session,
  subscription: Subscription,
  ended: BillingPeriod | null,
) {
  const { em, now } = session;
  if (isDue(subscription.itemTrialEndAt, now)) await endItemTrials(session, subscription);
  const present = await itemsOf(session, subscription);
  const start = ended?.startDate ?? subscription.startDate;
  const before = planName(present.filter((item) => item.addedDate < now && !item.isExpired(start)));
  const wasScheduled = subscription.scheduledAdjustmentAt != null;
  await executeScheduledAdjustment(session, subscription);
  const hasPhase = await startPhases(session, subscription);
  // A refused adjustment restores items, whose trials may end now.
  if (isDue(subscription.itemTrialEndAt, now)) await endItemTrials(session, subscription);
  const items = hasPhase ? await itemsOf(session, subscription) : present;
  const active = items.filter((item) => item.isActive(now));
  const last = ended ?? (await lastPeriodOf(session, subscription));
  const period = openPeriod(session, subscription, active, { start: now, last });
  await discountPeriod(session, subscription, period, active);
  await prorateFirst(session, period);
  subscription.status = nextStatus(subscription, period);
  // A change of the organization's setting reaches unpaid subscriptions with their next period.
  if (subscription.unpaidAccess)
    subscription.unpaidAccess = (await settingsOf(session)).unpaidAccess;
  const grants = wasScheduled || hasPhase ? 'changed' : 'later';
  await rollOverUsage(session, subscription, { ended, begun: period, grants });
  const paysUsage = subscription.isFreePlan && (await paysOwnUsage(session, subscription));
  const isBilled = ended != null && (subscription.isCharged || paysUsage);
  const waitsHours = isBilled ? await draftWindowOf(session, subscription) : 0;
  scheduleFirstRun(session, subscription, period, { paysUsage, waitsHours });
  followMostExpensiveItem(subscription, active, before);
  // The scheduled adjustment has been applied or dropped, which may change the room for claims.
  if (!wasScheduled && !hasPhase) return;
  await em.flush();
  await markTemporaryClaims(session, subscription.id);
}

/** The hours for which the invoice of a new period waits for late usage of the one that has ended. */
const draftWindowOf = async (session: Session, { draftWindowHours }: Subscription) =>
  draftWindowHours ?? (await settingsOf(session)).draftWindowHours;

/** Whether a free plan owes usage, and there is a way to collect it. */
async function paysOwnUsage(session: Session, subscription: Subscription): Promise<boolean> {
  const owed = await usageLines(session, subscription, 0);
  if (!areCharged(owed)) return false;
  return subscription.sendsInvoices || (await paymentMethodFor(session, subscription)) !== null;
}

/** A subscription with debts keeps its status; one that cannot pay becomes past due. */
function nextStatus(
  subscription: Subscription,
  { paidElsewhere }: BillingPeriod,
): SubscriptionStatus {
  const { status, doNotCharge, isCharged, canContinue } = subscription;
  if (status === 'cancellation_scheduled' || status === 'paused') return status;
  if (doNotCharge) return 'active';
  if (status === 'past_due' || status === 'unpaid' || status === 'incomplete') return status;
  if (!isCharged || paidElsewhere) return 'active';
  return canContinue ? 'active' : 'past_due';
}
