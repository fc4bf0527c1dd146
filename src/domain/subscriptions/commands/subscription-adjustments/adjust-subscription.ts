import { DomainError } from '#domain/kernel/errors.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import {
  type AdjustmentCharge,
  chargeAdjustment,
} from '#domain/money/collection/charge-adjustment.ts';
import { chargePayment } from '#domain/money/collection/charge-payment.ts';
import { executeBillingRun } from '#domain/money/collection/execute-billing-run.ts';
import { settleStanding } from '#domain/money/outcomes/mark-paid.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { nowOfSubscription } from '#domain/platform/reads/read-customer.ts';
import { lockPresentInSteps } from '#domain/recording/present/lock-present.ts';
import type {
  Adjustment,
  AdjustSubscriptionInput,
  ResolvedTiming,
} from '#domain/subscriptions/adjusting/adjust-input.ts';
import { applyAdjustment } from '#domain/subscriptions/adjusting/apply-adjustment.ts';
import { planAdjustment } from '#domain/subscriptions/adjusting/plan-adjustment.ts';
import { rehearseAdjustment } from '#domain/subscriptions/adjusting/rehearse-adjustment.ts';
import { replaceInvoice } from '#domain/subscriptions/adjusting/replace-invoice.ts';
import { requireOwnTerms } from '#domain/subscriptions/adjusting/require-own-terms.ts';
import { plain } from '#domain/subscriptions/adjusting/resolve-items.ts';
import { scheduleAdjustment } from '#domain/subscriptions/adjusting/schedule-adjustment.ts';
import { creditPeriod } from '#domain/subscriptions/lifecycle/credit-period.ts';

/** The result of an adjustment. */
export interface AdjustedSubscription {
  readonly subscription: Subscription;
  /** All its present items, including those that were added by hand. */
  readonly subscriptionItems: readonly SubscriptionItem[];
  readonly resolvedTiming: ResolvedTiming;
  readonly isUpgrade: boolean;
  /** The run that is still being paid, after which the change is applied; null when nothing is open. */
  readonly billingRunId: string | null;
}

/**
 * Changes the items of a subscription, now or at the end of its period. An amount due is charged first, and the items
 * change only when that succeeds. Waits for the processor until `signal` aborts; the change then follows when the
 * payment settles, also when the caller has disconnected. Errors: NOT_FOUND; BAD_REQUEST for an impossible
 * adjustment, and with the payment's code for a failed payment, which changes nothing.
 */
export async function adjustSubscription(
  session: Session,
  { id, adjustment }: AdjustSubscriptionInput,
  signal?: AbortSignal,
): Promise<AdjustedSubscription> {
  requireOwnTerms(session, adjustment);
  return adjust(session, id, async () => adjustment, signal);
}

/** Adjusts a subscription by the adjustment that `adjustmentOf` computes while it is locked. Errors: the same. */
export async function adjust(
  session: Session,
  id: string,
  adjustmentOf: (locked: LockedSubscription) => Promise<Adjustment>,
  signal?: AbortSignal,
): Promise<AdjustedSubscription> {
  const { done: begun, resumed } = await lockPresentInSteps(session, id, async (locked) => {
    const adjustment = await adjustmentOf(locked);
    const plan = await planAdjustment(locked, adjustment);
    const { timing: resolvedTiming, isUpgrade } = plan;
    if (resolvedTiming !== 'immediately' || plan.charge > 0) await rehearseAdjustment(locked, plan);
    if (resolvedTiming === 'at_end_of_current_billing_period') {
      await scheduleAdjustment(locked.session, locked.subscription, plan);
      return { resolvedTiming, isUpgrade, charge: null };
    }
    if (plan.charge > 0) {
      return { resolvedTiming, isUpgrade, charge: await chargeAdjustment(locked, plan) };
    }
    if (plan.unpaid) {
      await replaceInvoice(locked.session, plan.unpaid.id);
      await settleStanding(locked.session, locked.subscription);
      await locked.session.em.flush();
    }
    await creditPeriod(locked.session, locked.customer, plan.period, plan.credit.amount);
    const items = plan.newItems.map(plain);
    await applyAdjustment(locked.session, locked.subscription, { ...plan, items });
    return { resolvedTiming, isUpgrade, charge: null };
  });
  const { charge, ...answer } = begun;
  // A dry run is rolled back in the end, so no work can continue in the background.
  const limit = session.dryRun ? undefined : signal;
  if (charge) await inTime(session, { ...charge, resumed }, limit);
  const billingRunId = charge && (await stillOpen(afresh(session), charge.runId));
  return { ...answer, ...(await subscriptionWithItems(afresh(session), id)), billingRunId };
}

/** A charge, and whether an earlier attempt may have begun it. */
type AskedCharge = AdjustmentCharge & { readonly resumed: boolean };

/** Credit that has paid all needs no processor. */
const execute = (session: Session, { runId, paymentId, resumed }: AskedCharge) =>
  paymentId ? chargePayment(session, { paymentId, resumed }) : executeBillingRun(session, runId);

/** Waits for the charge within a limit; after that the charge continues in the background. */
async function inTime(session: Session, charge: AskedCharge, signal: AbortSignal | undefined) {
  const work = execute(session, charge);
  if (!signal) return work;
  const enough = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([work, enough]);
  // The job that checks payments picks up later failures.
  work.catch((error) => report(session, charge.runId, error));
}

/**
 * The run, as long as it has not ended. Errors: BAD_REQUEST for one that could not be paid, or whose paid adjustment
 * could not be applied.
 */
async function stillOpen({ em }: Session, runId: string): Promise<string | null> {
  const run = await em.findOneOrFail(BillingRun, runId);
  if (run.isOpen) return run.id;
  if (run.status === 'succeeded') return null;
  if (run.status === 'aborted') {
    throw new DomainError(
      'BAD_REQUEST',
      `The payment succeeded, but the adjustment is no longer possible (${run.errorDetails}). Nothing changed, and the amount is on the customer's credit balance`,
      {
        issues: [
          {
            code: 'INVALID_STATE',
            path: ['adjustment'],
            message: `is no longer possible: ${run.errorDetails}`,
          },
        ],
      },
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
    {
      issues: [
        {
          code: 'DECLINED',
          path: ['adjustment'],
          message: `could not be paid: ${code}`,
          declineCode: code,
        },
      ],
    },
  );
}

async function subscriptionWithItems(session: Session, id: string) {
  const { em } = session;
  const subscription = await em.findOneOrFail(Subscription, id);
  const now = await nowOfSubscription(session, subscription);
  const items = await subscription.items.loadItems();
  return { subscription, subscriptionItems: items.filter((item) => item.isActive(now)) };
}
