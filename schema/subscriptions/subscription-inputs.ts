import {
  cancellationTimings,
  endTimings,
} from '#domain/subscriptions/commands/subscriptions/cancellation-input.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { CollectionMethod, daysUntilDueInput } from '../shared/collection-method.ts';
import {
  CancellationCredit,
  PauseBilling,
  PauseEntitlements,
} from '../shared/subscription-status.ts';
import { discountText, trialText } from './subscription-items.ts';

const CancellationTiming = builder.enumType('CancellationTiming', {
  description: 'The timing of a cancellation.',
  values: described(cancellationTimings, {
    immediately: 'The subscription ends immediately.',
    at_end_of_current_billing_period: 'The subscription ends with its current billing period.',
    at_date: 'The subscription ends at `cancelAt`.',
  }),
});

const PauseTiming = builder.enumType('PauseTiming', {
  description: 'The start of a pause.',
  values: described(endTimings, {
    immediately: 'The subscription grants nothing from now on.',
    at_end_of_current_billing_period: 'The subscription pauses with its current billing period.',
  }),
});

export const PauseSubscription = builder.inputType('PauseSubscriptionInput', {
  description: 'A pause.',
  fields: (t) => ({
    timing: t.field({ type: PauseTiming, required: true, description: 'The start.' }),
    resumesAt: t.field({
      type: 'Timestamp',
      description: 'The end, after the start; until it is resumed when absent.',
    }),
    billing: t.field({
      type: PauseBilling,
      description: 'Whether further billing periods are charged; `nothing` when absent.',
    }),
    entitlements: t.field({
      type: PauseEntitlements,
      description: 'Whether the features are kept; `off` when absent.',
    }),
  }),
});

export const CancelSubscription = builder.inputType('CancelSubscriptionInput', {
  description: 'A cancellation.',
  fields: (t) => ({
    timing: t.field({ type: CancellationTiming, required: true, description: 'When.' }),
    cancelAt: t.field({
      type: 'Timestamp',
      description:
        'The end of the subscription, in the future, with the timing `at_date`. A period in which it ends is charged for its share, unless that has begun already.',
    }),
    credit: t.field({
      type: CancellationCredit,
      description:
        'The way in which unused time is returned where the end is within a period that is charged; `none` when absent. A customer token may not set it.',
    }),
  }),
});

export const FirstItem = builder.inputType('SubscriptionItemInput', {
  description: 'An item of a new subscription. Absent fields come from its price.',
  fields: (t) => ({
    priceId: t.id({
      description: 'The id of an active subscription price; alternative to `priceSlug`.',
    }),
    priceSlug: t.string({
      description: 'The slug of an active subscription price; alternative to `priceId`.',
    }),
    quantity: t.field({ type: 'SafeInt', description: 'The quantity, 1 or more; 1 when absent.' }),
    unitPrice: t.field({
      type: 'SafeInt',
      description: 'The negotiated price of one unit, in minor units, 0 or more.',
    }),
    discountPercentage: t.field({ type: 'Decimal', description: discountText }),
    trialEnd: t.field({
      type: 'Timestamp',
      description: `${trialText} It must be after the start of the subscription.`,
    }),
    name: t.string({ description: 'The display name.' }),
    externalId: t.string({ description: 'Your own id of the item.' }),
    metadata: t.field({
      type: 'JSON',
      description:
        'Key-value pairs; values are text of up to 500 characters, numbers, booleans, lists or objects.',
    }),
  }),
});

export const UpdateSubscription = builder.inputType('UpdateSubscriptionInput', {
  description: 'Changes to a subscription. Absent fields do not change.',
  fields: (t) => ({
    name: t.string({ description: 'The display name.' }),
    metadata: t.field({
      type: 'JSON',
      description: 'Replaces all key-value pairs; null removes them.',
    }),
    trialEnd: t.field({
      type: 'Timestamp',
      description:
        'Moves the end of a running trial to a time in the future. The first charge and the usage credits of the trial move with it.',
    }),
    billingCycleAnchorDate: t.field({
      type: 'Timestamp',
      description:
        'The instant from which billing periods repeat, within one interval after the end of the running period. The next period ends then, and is charged for its share.',
    }),
    anchorDayOfMonth: t.int({
      description:
        'The day of the month on which billing periods end from the next one on, 1 to 31; alternative to `billingCycleAnchorDate`. The next period ends on it and is charged for its share.',
    }),
    remainingPeriods: t.int({
      description:
        'The number of billing periods after the current one, with which the subscription ends, 0 to 1,000; null removes the limit.',
    }),
    draftWindowHours: t.int({
      description:
        'The hours after a billing period in which late usage counts for its invoice, 0 to 720; null for those of the organization.',
    }),
    billAt: t.field({
      type: 'SafeInt',
      description:
        'The amount of unbilled usage at which an invoice bills it within its period, in minor units, 1 to 10^14; null for the end of the period only.',
    }),
    defaultPaymentMethodId: t.id({
      description: 'The payment method to charge. The next billing round charges owed amounts.',
    }),
    backupPaymentMethodId: t.id({
      description: 'The payment method to charge when the default one fails; null removes it.',
    }),
    collectionMethod: t.field({
      type: CollectionMethod,
      description: 'How the next invoices are collected; open invoices keep their method.',
    }),
    daysUntilDue: t.int(daysUntilDueInput('unchanged')),
  }),
});
