import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import type { unpaidAccesses } from '#domain/model/platform/unpaid-access.ts';
import type { AdjustmentEvent } from './adjustment-event.ts';
import type { Announcement } from './announcement.ts';
import type { BillingPeriod } from './billing-period.ts';
import type { CancellationCredit } from './cancellation-credit.ts';
import { subscriptionChecks } from './subscription-checks.ts';
import { type CancellationReason, subscriptionColumns } from './subscription-columns.ts';
import { subscriptionIndexes, subscriptionUniques } from './subscription-indexes.ts';
import { inOrderAdded, SubscriptionItem } from './subscription-item.ts';
import {
  currentStatuses,
  type SubscriptionStatus,
  standingStatuses,
  terminalStatuses,
} from './subscription-statuses.ts';

const SubscriptionSchema = defineEntity({
  name: 'Subscription',
  uniques: subscriptionUniques,
  indexes: subscriptionIndexes,
  checks: subscriptionChecks,
  properties: {
    ...tenantColumns('sub'),
    ...subscriptionColumns,
    items: () => p.oneToMany(SubscriptionItem).mappedBy('subscription').orderBy(inOrderAdded),
  },
});

/** The agreement of a customer on items, with its periods, payment methods and end. */
export class Subscription extends SubscriptionSchema.class implements EmitsEvents {
  /** The date that the event of this transaction announces; not a column. */
  declare private announced?: { readonly verb: Announcement; readonly date: Date | null };
  /** The adjustment that the event of this transaction shows; not a column. */
  declare private adjustmentEvent?: AdjustmentEvent;

  get customerId(): Opt<string> {
    return this.customer.id;
  }

  get priceId(): Opt<string> {
    return this.price.id;
  }

  get defaultPaymentMethodId(): Opt<string> | null {
    return this.defaultPaymentMethod?.id ?? null;
  }

  get backupPaymentMethodId(): Opt<string> | null {
    return this.backupPaymentMethod?.id ?? null;
  }

  /** Whether the customer can use the subscription: also in a pause that keeps its features. */
  get current(): Opt<boolean> {
    if (this.unpaidAccess === 'none') return false;
    if (this.status === 'paused') return this.pauseEntitlements === 'on';
    return (currentStatuses as readonly SubscriptionStatus[]).includes(this.status);
  }

  /** Whether its status is final. */
  get isTerminal(): Opt<boolean> {
    return (terminalStatuses as readonly SubscriptionStatus[]).includes(this.status);
  }

  /** Whether it takes the place of the one that a customer may have: it is current or paused. */
  get stands(): Opt<boolean> {
    return (standingStatuses as readonly SubscriptionStatus[]).includes(this.status);
  }

  /** Whether its periods are charged at all. */
  get isCharged(): Opt<boolean> {
    return !this.isFreePlan && !this.doNotCharge;
  }

  /** Whether its invoices are sent with a due date instead of charged. */
  get sendsInvoices(): Opt<boolean> {
    return this.collectionMethod === 'send_invoice';
  }

  /** Whether there is a payment method or none is needed. */
  get canContinue(): Opt<boolean> {
    if (!this.isCharged || this.sendsInvoices) return true;
    return this.defaultPaymentMethod != null || this.backupPaymentMethod != null;
  }

  /** Whether it is in a pause that charges no further periods. */
  get pausesBilling(): Opt<boolean> {
    return this.status === 'paused' && this.pauseBilling !== 'keeps';
  }

  /** Makes a period the current one. The next boundary is its end, or a cancellation within it. */
  enter({ startDate, endDate }: BillingPeriod) {
    const { cancelScheduledAt, resumesAt, status } = this;
    this.currentBillingPeriodStart = startDate;
    this.currentBillingPeriodEnd = endDate;
    // A pause that is scheduled comes with the end of the period, wherever that moves.
    if (this.pauseScheduledAt) this.pauseScheduledAt = endDate;
    const earlier = [cancelScheduledAt, status === 'paused' ? resumesAt : null];
    const due = earlier.reduce<Date>((due, at) => (at && at < due ? at : due), endDate);
    this.transitionDueAt = this.orEarlier(due);
  }

  /** Follows the end of the next trial of an item, before which no boundary is crossed. */
  followTrial(end: Date | null, now: Date) {
    this.itemTrialEndAt = end;
    this.followDates(now);
  }

  /** Follows the start of the next phase that starts at its date, before which no boundary is crossed. */
  followPhase(start: Date | null, now: Date) {
    this.phaseStartAt = start;
    this.followDates(now);
  }

  private followDates(now: Date) {
    if (this.status === 'paused') this.transitionDueAt = this.boundaryInPause(now);
    else if (this.currentBillingPeriodEnd && this.transitionDueAt)
      this.transitionDueAt = this.orEarlier(this.periodOrEnd());
  }

  /** The end of the current period, or of the subscription if that is earlier. */
  private periodOrEnd(): Date | null {
    const { currentBillingPeriodEnd: boundary = null, cancelScheduledAt: end } = this;
    return end && boundary && end < boundary ? end : boundary;
  }

  /** The earliest one of a boundary and the dates within a period, which a pause of the billing makes wait. */
  orEarlier(boundary: Date | null): Date | null {
    if (this.pausesBilling) return boundary;
    const dates = [this.itemTrialEndAt, this.phaseStartAt, boundary].flatMap((at) => at ?? []);
    return dates.reduce<Date | null>((first, at) => (first && first <= at ? first : at), null);
  }

  /** In a pause, the boundary is the end of the period, or the end of the pause if that is earlier. */
  private boundaryInPause(at: Date): Date | null {
    const { currentBillingPeriodEnd: end, resumesAt } = this;
    const isRunning = end && end > at && !(resumesAt && resumesAt < end);
    return this.orEarlier(isRunning ? end : (resumesAt ?? null));
  }

  /** Counts a period that has begun, where the number of periods is limited. */
  countPeriod() {
    if (this.remainingPeriods) this.remainingPeriods -= 1;
  }

  /** Leaves it without a current period: the last one has ended in a pause. */
  leavePeriod() {
    this.currentBillingPeriodStart = null;
    this.currentBillingPeriodEnd = null;
  }

  /** Schedules the end of the subscription for an instant, within its current period or after it. */
  scheduleCancellation(end: Date, credit: CancellationCredit, now: Date) {
    this.status = 'cancellation_scheduled';
    this.endPause();
    this.cancelScheduledAt = end;
    this.cancellationCredit = credit;
    this.followDates(now);
  }

  /** Whether a scheduled cancellation ends it before an instant, or then. */
  endsBy(at: Date): boolean {
    return this.cancelScheduledAt != null && this.cancelScheduledAt <= at;
  }

  /** Reverts a scheduled cancellation. */
  unscheduleCancellation(now: Date) {
    this.status = this.statusAfterwards(now);
    this.cancelScheduledAt = null;
    this.cancellationCredit = null;
    this.followDates(now);
  }

  /** The status after a pause or a scheduled end. */
  statusAfterwards(now: Date): SubscriptionStatus {
    if (this.unpaidAccess) return 'unpaid';
    return this.trialEnd && this.trialEnd > now ? 'trialing' : 'active';
  }

  /** Pauses it. */
  pause(at: Date) {
    this.status = 'paused';
    this.pausedAt = at;
    this.pauseScheduledAt = null;
    this.transitionDueAt = this.boundaryInPause(at);
  }

  /** Forgets a pause and a scheduled one. */
  endPause() {
    this.pausedAt = null;
    this.pauseScheduledAt = null;
    this.resumesAt = null;
    this.pauseBilling = null;
    this.pauseEntitlements = null;
  }

  /** Follows the failure of the last try to collect an invoice. A pause or a scheduled end stays. */
  leaveUnpaid(access: (typeof unpaidAccesses)[number], at: Date) {
    if (this.status !== 'cancellation_scheduled' && this.status !== 'paused')
      this.status = 'unpaid';
    this.unpaidAccess = access;
    this.unpaidAt ??= at;
  }

  /** Forgets that it was unpaid. */
  endUnpaid() {
    this.unpaidAccess = null;
    this.unpaidAt = null;
  }

  /** Whether the usage credits of a period wait for a payment: it began while the subscription was unpaid. */
  withholdsCredits({ startDate }: Pick<BillingPeriod, 'startDate'>): boolean {
    if (!this.unpaidAt || this.unpaidAccess === 'keep') return false;
    return startDate >= this.unpaidAt;
  }

  cancel(at: Date, reason: CancellationReason | null, credit: CancellationCredit | null) {
    this.status = 'canceled';
    this.endUnpaid();
    this.cancellationCredit = credit;
    this.canceledAt = at;
    this.cancelScheduledAt = at;
    this.cancellationReason = reason;
    this.endPause();
    this.itemTrialEndAt = null;
    this.phaseStartAt = null;
    this.transitionDueAt = null;
  }

  /** Makes the end of its period due again, after it was kept in the period. */
  resume() {
    if (this.isTerminal) return;
    this.transitionDueAt = this.orEarlier(this.periodOrEnd());
  }

  /** Has the event of this transaction show an adjustment, also where no other column changes. */
  emitAdjustment(event: AdjustmentEvent) {
    this.adjustmentCount += 1;
    this.adjustmentEvent = event;
  }

  /** Has the event of this transaction announce a date, and remembers that date. */
  announce(verb: Announcement) {
    const date = (verb === 'trial_ending' ? this.trialEnd : this.currentBillingPeriodEnd) ?? null;
    if (verb === 'trial_ending') this.trialEndAnnounced = date;
    else this.renewalAnnounced = date;
    this.announced = { verb, date };
  }

  verbFor(changed: ReadonlySet<string>) {
    return this.verbOfStatus(changed) ?? this.adjustmentEvent?.verb ?? this.announced?.verb;
  }

  further() {
    const { verb: _, ...further } = this.adjustmentEvent ?? { verb: null };
    return this.announced ? { ...further, announcedFor: this.announced.date?.getTime() } : further;
  }

  private verbOfStatus(changed: ReadonlySet<string>) {
    if (!changed.has('status')) return undefined;
    // A client that revokes access when a subscription is canceled must not do so at an upgrade.
    if (this.status === 'canceled') {
      return this.cancellationReason === 'upgraded_to_paid' ? undefined : 'canceled';
    }
    if (this.status === 'paused') return 'paused';
    if (changed.has('pausedAt')) return 'resumed';
    const start = this.currentBillingPeriodStart?.getTime();
    const begins = changed.has('currentBillingPeriodStart') && start === this.trialEnd?.getTime();
    return this.trialEnd && begins ? 'trial_ended' : undefined;
  }
}
SubscriptionSchema.setClass(Subscription);
