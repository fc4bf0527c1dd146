import { defineEntity, type Opt, p } from '@mikro-orm/core';
import type { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { Customer } from '#domain/customers/customer.ts';
import { instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { sortIndex } from '#domain/kernel/list-indexes.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import { intervalUnits, Price } from '#domain/prices/price.ts';
import { inOrderAdded, SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import type { AdjustmentEvent } from './adjustment-event.ts';
import type { Announcement } from './announcement.ts';
import { collectionMethods } from './collection-methods.ts';
import type { Commitment } from './commitment.ts';
import { pauseBillings, pauseEntitlements } from './pause-options.ts';
import type { ScheduledAdjustment } from './planned-item.ts';
import { subscriptionChecks } from './subscription-checks.ts';
import {
  currentStatuses,
  payingStatuses,
  type SubscriptionStatus,
  standingStatuses,
  subscriptionStatuses,
  terminalStatuses,
} from './subscription-statuses.ts';

/** Why a subscription ended; null when a caller canceled it. */
export type CancellationReason =
  | 'upgraded_to_paid'
  | 'customer_archived'
  | 'non_payment'
  | 'customer_request'
  | 'other';

export type Metadata = Record<string, unknown>;

const SubscriptionSchema = defineEntity({
  name: 'Subscription',
  uniques: [
    {
      name: 'subscription_current_unique',
      properties: ['customer'],
      where: { sole: true, status: { $in: [...standingStatuses] } },
    },
    {
      name: 'subscription_external_id_unique',
      properties: ['pricingModelId', 'externalId'],
      where: { externalId: { $ne: null } },
    },
    {
      name: 'subscription_trial_unique',
      properties: ['customer'],
      where: { trialEnd: { $ne: null }, isFreePlan: false, doNotCharge: false },
    },
  ],
  indexes: [
    { name: 'subscription_page', properties: ['pricingModelId', 'createdAt', 'position', 'id'] },
    {
      name: 'subscription_status',
      properties: ['pricingModelId', 'status', 'createdAt', 'position', 'id'],
    },
    sortIndex(
      'subscription',
      'subscription_period_end',
      `coalesce(current_billing_period_end, 'infinity'::timestamptz)`,
    ),
    { name: 'subscription_mrr', properties: ['pricingModelId', 'mrr', 'position', 'id'] },
    {
      name: 'subscription_mrr_planned',
      properties: ['pricingModelId', 'mrrChangesAt'],
      where: { mrrChangesAt: { $ne: null } },
    },
    {
      name: 'subscription_metadata',
      expression:
        'create index "subscription_metadata" on "subscription" using gin (metadata jsonb_path_ops)',
    },
    {
      name: 'subscription_paying',
      properties: ['pricingModelId'],
      where: { isFreePlan: false, doNotCharge: false, status: { $in: [...payingStatuses] } },
    },
    { name: 'subscription_customer', properties: ['customer', 'createdAt'] },
    { name: 'subscription_model_customer', properties: ['pricingModelId', 'customer'] },
    {
      name: 'subscription_trial_end',
      properties: ['testClockId', 'trialEnd'],
      where: { status: 'trialing' },
    },
    {
      name: 'subscription_renewal',
      properties: ['testClockId', 'currentBillingPeriodEnd'],
      where: {
        renews: true,
        interval: { $in: ['year', 'month'] },
        status: { $in: ['active', 'past_due'] },
      },
    },
    {
      name: 'subscription_due',
      properties: ['testClockId', 'transitionDueAt', 'id'],
      where: { transitionDueAt: { $ne: null } },
    },
  ],
  checks: subscriptionChecks,
  properties: {
    ...tenantColumns('sub'),
    startDate: instant(),
    customer: () => p.manyToOne(Customer).ref().deleteRule('cascade'),
    /** ISO 4217, upper case: that of its prices and invoices. A free one follows its customer. */
    currency: p.string().length(3).hidden(),
    price: () => p.manyToOne(Price).ref().deleteRule('restrict').index(),
    status: p.enum(subscriptionStatuses),
    defaultPaymentMethod: () => p.manyToOne(PaymentMethod).ref().nullable().index(),
    backupPaymentMethod: () => p.manyToOne(PaymentMethod).ref().nullable().index(),
    cancellationReason: p.string().$type<CancellationReason>().nullable(),
    replacedBySubscriptionId: p.string().nullable(),
    isFreePlan: p.boolean(),
    doNotCharge: p.boolean(),
    collectionMethod: p.enum(collectionMethods).default('charge_automatically'),
    /** For invoices that are sent: the days until they are due. */
    daysUntilDue: p.integer().nullable(),
    runBillingAtPeriodStart: p.boolean(),
    renews: p.boolean(),
    interval: p.enum(intervalUnits).nullable(),
    intervalCount: p.integer().nullable(),
    name: p.string().nullable(),
    trialEnd: instant().nullable(),
    /** The boundary until which its periods are paid elsewhere; null where every period is charged here. */
    paidUntil: instant().nullable(),
    currentBillingPeriodStart: instant().nullable(),
    currentBillingPeriodEnd: instant().nullable(),
    metadata: p.json<Metadata>().nullable(),
    /** Since when it is paused; null while it is not. */
    pausedAt: instant().nullable(),
    /** The end of the period with which it pauses. */
    pauseScheduledAt: instant().nullable(),
    /** When a pause ends by itself; null where a caller ends it. */
    resumesAt: instant().nullable(),
    /** Whether a pause charges further periods; null without a pause. */
    pauseBilling: p.enum(pauseBillings).nullable(),
    /** Whether a pause keeps the features; null without a pause. */
    pauseEntitlements: p.enum(pauseEntitlements).nullable(),
    canceledAt: instant().nullable(),
    cancelScheduledAt: instant().nullable(),
    billingCycleAnchorDate: instant().nullable(),
    /** Whether the anchor was chosen: a period that begins within a cycle of it ends with the cycle, and is prorated. */
    anchored: p.boolean().default(false),
    /** The number of billing periods after the current one; null without an end. */
    remainingPeriods: p.integer().nullable(),
    /** Hours after the end of a period in which late usage counts for its invoice; as the organization's when null. */
    draftWindowHours: p.integer().nullable(),
    /** Usage is billed within its period once so much of it is unbilled; minor units, null for the end of the period. */
    billAt: safeInteger().nullable(),
    /** The caller's own id; unique in the pricing model. */
    externalId: p.string().nullable(),
    scheduledAdjustmentAt: instant().nullable(),
    /** The adjustment that is applied then. */
    scheduledAdjustment: p.json<ScheduledAdjustment>().nullable().hidden(),
    /** How often an adjustment of it was applied, scheduled or canceled. */
    adjustmentCount: p.integer().default(0).hidden(),
    /** The amount that the customer commits to spend; null without a commitment, and after it. */
    commitment: p.json<Commitment>().nullable(),
    /** Whether it has or had a commitment, whose terms are reckoned. */
    committed: p.boolean().default(false).hidden(),
    /** Whether the customer may have no other subscription while this one is current. */
    sole: p.boolean().hidden(),
    testClockId: p.string().nullable().hidden(),
    /** The monthly recurring revenue at the last change, in minor units. A trigger writes it (`set_current_mrr`). */
    mrr: safeInteger().default(0).hidden(),
    /** When dates of items change it without a transaction; null when nothing is planned. */
    mrrChangesAt: instant().nullable().hidden(),
    /** Whether it has alerts, so that recordings of its usage compare them. */
    watched: p.boolean().default(false).hidden(),
    /** The end of the trial, and the yearly charge, that were announced last: each date is announced once. */
    trialEndAnnounced: instant().nullable().hidden(),
    renewalAnnounced: instant().nullable().hidden(),
    /** The next boundary; null when none is expected. */
    transitionDueAt: instant().nullable().hidden(),
    /** The next end of the trial of an item; null without one. */
    itemTrialEndAt: instant().nullable().hidden(),
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
    this.transitionDueAt = this.orTrialEnd(due);
  }

  /** Follows the end of the next trial of an item, before which no boundary is crossed. */
  followTrial(end: Date | null, now: Date) {
    this.itemTrialEndAt = end;
    const { currentBillingPeriodEnd: boundary, cancelScheduledAt, status } = this;
    if (status === 'paused') this.transitionDueAt = this.boundaryInPause(now);
    else if (boundary && this.transitionDueAt) {
      const isEarlier = cancelScheduledAt && cancelScheduledAt < boundary;
      this.transitionDueAt = this.orTrialEnd(isEarlier ? cancelScheduledAt : boundary);
    }
  }

  /** The earlier one of a boundary and the next end of the trial of an item, which a pause of the billing makes wait. */
  orTrialEnd(boundary: Date | null): Date | null {
    const end = this.pausesBilling ? null : (this.itemTrialEndAt ?? null);
    return end && (!boundary || end < boundary) ? end : boundary;
  }

  /** In a pause, the boundary is the end of the period, or the end of the pause if that is earlier. */
  private boundaryInPause(at: Date): Date | null {
    const { currentBillingPeriodEnd: end, resumesAt } = this;
    const isRunning = end && end > at && !(resumesAt && resumesAt < end);
    return this.orTrialEnd(isRunning ? end : (resumesAt ?? null));
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

  /** Schedules the end of the subscription for the end of its current period. */
  scheduleCancellation() {
    this.status = 'cancellation_scheduled';
    this.endPause();
    this.cancelScheduledAt = this.currentBillingPeriodEnd ?? null;
  }

  /** Reverts a scheduled cancellation. */
  unscheduleCancellation(now: Date) {
    this.status = this.trialEnd && this.trialEnd > now ? 'trialing' : 'active';
    this.cancelScheduledAt = null;
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

  cancel(at: Date, reason: CancellationReason | null) {
    this.status = 'canceled';
    this.canceledAt = at;
    this.cancelScheduledAt = at;
    this.cancellationReason = reason;
    this.endPause();
    this.scheduledAdjustmentAt = null;
    this.scheduledAdjustment = null;
    this.itemTrialEndAt = null;
    this.transitionDueAt = null;
  }

  /** Makes the end of its period due again, after it was kept in the period. */
  resume() {
    if (this.isTerminal) return;
    this.transitionDueAt = this.orTrialEnd(this.currentBillingPeriodEnd ?? null);
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
