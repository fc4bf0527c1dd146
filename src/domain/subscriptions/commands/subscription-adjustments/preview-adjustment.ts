import { movableCredit } from '#domain/invoicing/crediting/move-prepaid.ts';
import { prepaidAt } from '#domain/invoicing/crediting/prepaid-credits.ts';
import { taxedItems, taxRuleOf } from '#domain/invoicing/crediting/tax-rule.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Interval } from '#domain/model/catalog/price.ts';
import type { Pricing } from '#domain/model/catalog/pricing.ts';
import { amountsOf } from '#domain/model/catalog/tax.ts';
import type { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import type {
  Adjustment,
  AdjustSubscriptionInput,
  ResolvedTiming,
} from '#domain/subscriptions/adjusting/adjust-input.ts';
import type { ScheduleOutcome } from '#domain/subscriptions/adjusting/merge-schedule.ts';
import {
  type AdjustmentPlan,
  planAdjustment,
} from '#domain/subscriptions/adjusting/plan-adjustment.ts';
import { shareOf } from '#domain/subscriptions/adjusting/proration.ts';
import { refusalReason } from '#domain/subscriptions/adjusting/refusal-reason.ts';
import { rehearseAdjustment } from '#domain/subscriptions/adjusting/rehearse-adjustment.ts';
import { requireOwnTerms } from '#domain/subscriptions/adjusting/require-own-terms.ts';

/** An item as a preview shows it. */
export interface PreviewedItem {
  readonly name: string;
  readonly unitPrice: number;
  readonly quantity: number;
  readonly priceId: string | null;
  /** Its pricing, which has the end of its trial. */
  readonly pricing?: Pricing | null | undefined;
}

/** The effect of an adjustment. */
interface PossibleAdjustment {
  /** The prorated charge before tax and after the discount; minor units. */
  readonly prorationAmount: number;
  /** The discount by which that charge is reduced; minor units. */
  readonly discountAmount: number;
  /** The charge with tax, less the credit balance, which includes the applied credit of a replaced invoice. */
  readonly amountDue: number;
  /** The credit to the customer's balance. */
  readonly creditAmount: number;
  readonly currentPlanTotal: number;
  readonly newPlanTotal: number;
  readonly resolvedTiming: ResolvedTiming;
  readonly effectiveDate: Date;
  readonly isUpgrade: boolean;
  /** The elapsed share of the period when it takes effect, from 0 to 1. */
  readonly percentThroughBillingPeriod: number;
  readonly billingPeriodEnd: Date;
  /** The new interval, if it differs, and the start of its first period. */
  readonly newInterval: Interval | null;
  readonly newIntervalStart: Date | null;
  readonly paymentMethod: PaymentMethod | null;
  readonly currentSubscriptionItems: readonly PreviewedItem[];
  readonly newSubscriptionItems: readonly PreviewedItem[];
  /** The effect on the scheduled adjustment, and the items that it then leads to; null without one. */
  readonly scheduledAdjustment: ScheduleOutcome['outcome'] | null;
  readonly scheduledSubscriptionItems: readonly PreviewedItem[] | null;
}

export interface PreviewedAdjustment extends Partial<PossibleAdjustment> {
  readonly subscription: Subscription;
  readonly canAdjust: boolean;
  /** The reason why it is impossible; null when it is possible. */
  readonly reason: string | null;
  readonly previewGeneratedAt: Date;
}

/**
 * Previews the adjustment of a subscription with the real computation, and writes nothing. An impossible one is
 * returned with its reason. Errors: NOT_FOUND; BAD_REQUEST for input in no documented form.
 */
export async function previewAdjustment(
  session: Session,
  { id, adjustment }: AdjustSubscriptionInput,
): Promise<PreviewedAdjustment> {
  requireOwnTerms(session, adjustment);
  return preview(session, id, async () => adjustment);
}

/** Previews the adjustment that `adjustmentOf` computes while the subscription is locked. Errors: the same, and its own. */
export async function preview(
  session: Session,
  id: string,
  adjustmentOf: (locked: LockedSubscription) => Promise<Adjustment>,
): Promise<PreviewedAdjustment> {
  return lockCaughtUp(afresh(session), id, async (locked) => {
    const { subscription } = locked;
    const previewGeneratedAt = locked.session.now;
    const adjustment = await adjustmentOf(locked);
    try {
      const plan = await planAdjustment(locked, adjustment);
      await rehearseAdjustment(locked, plan);
      const shown = await shownOf(locked, plan);
      return { subscription, canAdjust: true, reason: null, previewGeneratedAt, ...shown };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { subscription, canAdjust: false, reason: refusalReason(error), previewGeneratedAt };
    }
  });
}

const refusals = new Set<string>(['BAD_REQUEST', 'CONFLICT', 'FORBIDDEN']);

const isRefusal = (error: unknown): error is DomainError =>
  error instanceof DomainError && refusals.has(error.code);

async function shownOf(
  { session, customer }: LockedSubscription,
  plan: AdjustmentPlan,
): Promise<PossibleAdjustment> {
  const { charge, unpaid, period, at, interval } = plan;
  const rule = await taxRuleOf(session, customer, taxedItems(plan.newItems));
  const { total } = amountsOf(charge, rule);
  const own = customer.creditBalance + (await prepaidAt(session, customer));
  const moved = unpaid ? await movableCredit(session, unpaid) : 0;
  return {
    prorationAmount: charge,
    discountAmount: plan.discount?.amount ?? 0,
    amountDue: Math.max(0, total - own - moved),
    creditAmount: plan.credit.withTax,
    currentPlanTotal: plan.oldTotal,
    newPlanTotal: plan.newTotal,
    resolvedTiming: plan.timing,
    effectiveDate: at,
    isUpgrade: plan.isUpgrade,
    percentThroughBillingPeriod: shareOf(period, at),
    billingPeriodEnd: period.endDate,
    newInterval: interval,
    newIntervalStart: interval && (plan.startsPeriod ? at : period.endDate),
    paymentMethod: plan.paymentMethod,
    currentSubscriptionItems: plan.oldItems,
    newSubscriptionItems: plan.newItems,
    scheduledAdjustment: plan.schedule?.outcome ?? null,
    scheduledSubscriptionItems: plan.schedule?.items ?? null,
  };
}
