import { p } from '@mikro-orm/core';
import { instant, safeInteger } from '#domain/kernel/columns.ts';
import type { Metadata } from '#domain/kernel/inputs/metadata.ts';
import { intervalUnits, Price } from '#domain/model/catalog/price.ts';
import { collectionMethods } from '#domain/model/platform/collection-methods.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { unpaidAccesses } from '#domain/model/platform/unpaid-access.ts';
import { cancellationCredits } from './cancellation-credit.ts';
import type { Commitment } from './commitment.ts';
import { pauseBillings, pauseEntitlements } from './pause-options.ts';
import type { ScheduledAdjustment } from './planned-item.ts';
import { subscriptionStatuses } from './subscription-statuses.ts';

/** Why a subscription ended; null when a caller canceled it. */
export type CancellationReason =
  | 'upgraded_to_paid'
  | 'customer_archived'
  | 'non_payment'
  | 'customer_request'
  | 'other';

/** The columns of a subscription besides those of every record. */
export const subscriptionColumns = {
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
  /** Its access since the last try to collect an invoice has failed; null while it owes nothing of that kind. */
  unpaidAccess: p.enum(unpaidAccesses).nullable(),
  /** When the last try failed; null like `unpaidAccess`. */
  unpaidAt: instant().nullable(),
  canceledAt: instant().nullable(),
  cancelScheduledAt: instant().nullable(),
  /** The way in which a cancellation returns unused time; null while none is scheduled, and for any other end. */
  cancellationCredit: p.enum(cancellationCredits).nullable(),
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
  /** The next start of a phase that starts at its date; null without one. */
  phaseStartAt: instant().nullable().hidden(),
};
