import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';
import type {
  AdjustSubscriptionInput,
  ResolvedTiming,
} from '#domain/rules/adjusting/adjust-input.ts';
import { applyAdjustment } from '#domain/rules/adjusting/apply-adjustment.ts';
import { planAdjustment } from '#domain/rules/adjusting/plan-adjustment.ts';
import { rehearseAdjustment } from '#domain/rules/adjusting/rehearse-adjustment.ts';
import { replaceInvoice } from '#domain/rules/adjusting/replace-invoice.ts';
import { plain, scheduleAdjustment } from '#domain/rules/adjusting/schedule-adjustment.ts';
import { expireReservationsOf } from '#domain/rules/capacity/end-reservations.ts';
import {
  type AdjustmentCharge,
  chargeAdjustment,
} from '#domain/rules/collection/charge-adjustment.ts';
import { chargePayment } from '#domain/rules/collection/charge-payment.ts';
import { executeBillingRun } from '#domain/rules/collection/execute-billing-run.ts';
import { settleStanding } from '#domain/rules/collection/mark-paid.ts';
import { catchUp } from '#domain/rules/collection/transition-subscription.ts';
import { firstStep } from '#domain/rules/idempotency/first-step.ts';
import { creditPeriod } from '#domain/rules/lifecycle/credit-period.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import { lockSubscription } from '#domain/rules/locks/lock-subscription.ts';
import { nowOf } from '#domain/rules/locks/read-customer.ts';
import type { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';

/** How an adjustment went. */
export interface AdjustedSubscription {
  readonly subscription: Subscription;
  /** What it consists of now, also what was added by hand. */
  readonly subscriptionItems: readonly SubscriptionItem[];
  readonly resolvedTiming: ResolvedTiming;
  readonly isUpgrade: boolean;
  /** The run that is still being paid, after which the change is made; null when nothing is open. */
  readonly billingRunId: string | null;
}

/**
 * Changes what a subscription consists of, now or when its period ends. What is to be paid for
 * it is charged first, and it changes only when that has succeeded. Waits for the processor until
 * `signal` says that it is enough; the change is then made when the payment settles, as it is when the caller
 * has gone. Errors: NOT_FOUND; BAD_REQUEST for what cannot be adjusted, and for a payment that fails, with
 * the code of that, which leaves everything as it was.
 */
export async function adjustSubscription(
  session: Session,
  { id, adjustment }: AdjustSubscriptionInput,
  signal?: AbortSignal,
): Promise<AdjustedSubscription> {
  await catchUp(afresh(session), id);
  const { done: begun, resumed } = await firstStep(afresh(session), async (session) => {
    const held = await lockSubscription(session, id);
    await expireReservationsOf(held);
    const plan = await planAdjustment(held, adjustment);
    const { timing: resolvedTiming, isUpgrade } = plan;
    if (resolvedTiming !== 'immediately' || plan.charge > 0) await rehearseAdjustment(held, plan);
    if (resolvedTiming === 'at_end_of_current_billing_period') {
      await scheduleAdjustment(held.session, held.subscription, plan);
      return { resolvedTiming, isUpgrade, charge: null };
    }
    if (plan.charge > 0) {
      return { resolvedTiming, isUpgrade, charge: await chargeAdjustment(held, plan) };
    }
    if (plan.unpaid) {
      await replaceInvoice(held.session, plan.unpaid.id);
      await settleStanding(held.session, held.subscription);
    }
    creditPeriod(held.customer, plan.period, plan.credit);
    const items = plan.newItems.map(plain);
    await applyAdjustment(held.session, held.subscription, { ...plan, items });
    return { resolvedTiming, isUpgrade, charge: null };
  });
  const { charge, ...answer } = begun;
  // What is taken back in the end has nothing that could go on by itself.
  const limit = session.dryRun ? undefined : signal;
  if (charge) await inTime(session, { ...charge, resumed }, limit);
  const billingRunId = charge && (await stillOpen(afresh(session), charge.runId));
  return { ...answer, ...(await stateOf(afresh(session), id)), billingRunId };
}

/** A charge that is asked for, or that an earlier try may have asked for. */
type AskedCharge = AdjustmentCharge & { readonly resumed: boolean };

/** What the credit balance has paid needs no processor. */
const carryOut = (session: Session, { runId, paymentId, resumed }: AskedCharge) =>
  paymentId ? chargePayment(session, { paymentId, resumed }) : executeBillingRun(session, runId);

/** What is waited for goes on by itself when that takes too long. */
async function inTime(session: Session, charge: AskedCharge, signal: AbortSignal | undefined) {
  const work = carryOut(session, charge);
  if (!signal) return work;
  const enough = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([work, enough]);
  // The job that asks what has become of payments finds what fails after that.
  work.catch((error) => report(session, charge.runId, error));
}

/**
 * The run, as long as it has not ended. Errors: BAD_REQUEST for one that could not be paid, or that was and could
 * not be carried out.
 */
async function stillOpen({ em }: Session, runId: string): Promise<string | null> {
  const run = await em.findOneOrFail(BillingRun, runId);
  if (run.isOpen) return run.id;
  if (run.status === 'succeeded') return null;
  if (run.status === 'aborted') {
    throw new DomainError(
      'BAD_REQUEST',
      `The payment succeeded, but the adjustment is no longer possible (${run.errorDetails}). Nothing changed, and the amount is on the customer's credit balance`,
      { issues: [{ path: ['adjustment'], message: `is no longer possible: ${run.errorDetails}` }] },
    );
  }
  const [payment] = await em.find(
    Payment,
    { billingRunId: runId, status: 'failed' },
    { orderBy: { createdAt: 'desc', position: 'desc', id: 'asc' }, limit: 1 },
  );
  const code = payment?.failureCode ?? 'payment_failed';
  throw new DomainError(
    'BAD_REQUEST',
    `The payment failed (${code}): ${run.errorDetails}. Nothing changed`,
    { issues: [{ path: ['adjustment'], message: `could not be paid: ${code}` }] },
  );
}

async function stateOf(session: Session, id: string) {
  const { em } = session;
  const subscription = await em.findOneOrFail(Subscription, id);
  const now = await nowOf(session, await subscription.customer.loadOrFail());
  const items = await subscription.items.loadItems();
  return { subscription, subscriptionItems: items.filter((item) => item.isActive(now)) };
}
