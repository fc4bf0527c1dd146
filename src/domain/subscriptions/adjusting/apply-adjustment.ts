import { markTemporaryClaims } from '#domain/capacity/temporary-claims.ts';
import { discountPeriod } from '#domain/invoicing/billing/discount-period.ts';
import type { Session } from '#domain/kernel/session.ts';
import { grantMidPeriodCredits } from '#domain/metering/credits/mid-period-credits.ts';
import type { Interval } from '#domain/model/catalog/price.ts';
import { emittedItem } from '#domain/model/subscriptions/adjustment-event.ts';
import type { PeriodCredit } from '#domain/model/subscriptions/billing-period.ts';
import { type PlannedItem, planTotal } from '#domain/model/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { isPlanItem } from '#domain/model/subscriptions/subscription-item.ts';
import { currentPeriod } from '#domain/platform/reads/current-period.ts';
import { pricedItemsOf } from '#domain/platform/reads/items-of.ts';
import {
  followMostExpensiveItem,
  planName,
} from '#domain/subscriptions/entitlement/most-expensive-item.ts';
import { changeInterval, isReplaced, startPeriodAnew } from './change-interval.ts';
import { addItem, endItem, updateItem, yieldToPlan } from './change-items.ts';
import { forgetSchedule } from './drop-scheduled-adjustment.ts';
import { followItemTrials } from './follow-item-trials.ts';
import { matchItems } from './match-items.ts';
import { plannedOf } from './merge-items.ts';
import { mergeSchedule, withFormerEnds } from './merge-schedule.ts';
import { skipPhases } from './plan-phase.ts';
import { sharePeriod } from './share-period.ts';

/** A change of a subscription as of an instant. */
export interface Change {
  readonly at: Date;
  readonly items: readonly PlannedItem[];
  readonly interval: Interval | null;
  /** Whether the rest of the period is prorated. */
  readonly prorates: boolean;
  /** Whether a new period begins then; otherwise a new interval applies from the end of the current one. */
  readonly startsPeriod: boolean;
  /** Whether phases that are due with that period stay planned. */
  readonly keepsPhases: boolean;
  /** The amount that is credited to the customer's balance once the period is paid. */
  readonly awaitedCredit?: PeriodCredit;
}

/**
 * Gives a locked subscription its new items with their features, and updates name, price and interval. A scheduled
 * adjustment follows the new items; it is dropped where a new period begins.
 */
export async function applyAdjustment(
  session: Session,
  subscription: Subscription,
  { at, items, interval, prorates, startsPeriod, keepsPhases, awaitedCredit }: Change,
) {
  const { em } = session;
  const period = await currentPeriod(session, subscription);
  if (startsPeriod) await forgetSchedule(session, subscription);
  const all = await pricedItemsOf(session, subscription);
  const current = all.filter((item) => item.isActive(at) && isPlanItem(item));
  const [oldItems, oldTotal] = [current.map(emittedItem), planTotal(current)];
  const before = planName(current);
  const former = withFormerEnds(subscription, current.map(plannedOf));
  const { kept, added, ended } = matchItems(current, items);
  for (const item of ended) await endItem(session, item, at);
  for (const { item, planned } of kept) await updateItem(session, subscription, item, planned, at);
  const begun: SubscriptionItem[] = [];
  for (const planned of added) begun.push(await addItem(session, subscription, planned, at));
  await em.flush();
  const newItems = [...kept.map(({ item }) => item), ...begun];
  await yieldToPlan(session, subscription, newItems, at);
  await em.flush();
  await mergeSchedule(session, subscription, { before: former, items: newItems });
  await em.flush();
  await markTemporaryClaims(session, subscription.id);
  followMostExpensiveItem(subscription, newItems, before);
  await followItemTrials(session, subscription);
  subscription.emitAdjustment({ verb: 'adjusted', oldItems, newItems: newItems.map(emittedItem) });
  if (!period) return;
  // An incomplete subscription gets all its credits with the first payment.
  if (!startsPeriod && subscription.status !== 'incomplete')
    await grantMidPeriodCredits(session, subscription, period, { items: newItems, at });
  if (startsPeriod && isReplaced(period, at) && !period.discount)
    await discountPeriod(session, subscription, period, newItems);
  if (prorates && !period.trialPeriod)
    await sharePeriod(session, period, at, {
      oldTotal,
      newTotal: planTotal(newItems),
      startsPeriod,
      awaitedCredit,
    });
  if (!interval) return;
  changeInterval(subscription, interval, startsPeriod ? at : period.endDate);
  if (!startsPeriod) return;
  if (!keepsPhases) await skipPhases(session, subscription, at);
  await startPeriodAnew(session, subscription, period, { items: newItems, at });
}
