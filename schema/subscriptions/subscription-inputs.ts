import {
  cancellationTimings,
  endTimings,
} from '#domain/subscriptions/commands/subscriptions/cancellation-input.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { nullable, of } from '../engine/fields.ts';
import { input } from '../engine/types.ts';
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

export const PauseSubscription = input('PauseSubscriptionInput', {
  description: 'A pause.',
  fields: {
    timing: of(PauseTiming, 'The start.'),
    resumesAt: nullable.time('The end, after the start; until it is resumed when absent.'),
    billing: nullable.of(
      PauseBilling,
      'Whether further billing periods are charged; `nothing` when absent.',
    ),
    entitlements: nullable.of(
      PauseEntitlements,
      'Whether the features are kept; `off` when absent.',
    ),
  },
});

export const CancelSubscription = input('CancelSubscriptionInput', {
  description: 'A cancellation.',
  fields: {
    timing: of(CancellationTiming, 'When.'),
    cancelAt: nullable.time(
      'The end of the subscription, in the future, with the timing `at_date`. A period in which it ends is charged for its share, unless that has begun already.',
    ),
    credit: nullable.of(
      CancellationCredit,
      'The way in which unused time is returned where the end is within a period that is charged; `none` when absent. A customer token may not set it.',
    ),
  },
});

export const FirstItem = input('SubscriptionItemInput', {
  description: 'An item of a new subscription. Absent fields come from its price.',
  fields: {
    priceId: nullable.id('The id of an active subscription price; alternative to `priceSlug`.'),
    priceSlug: nullable.text('The slug of an active subscription price; alternative to `priceId`.'),
    quantity: nullable.safeInt('The quantity, 1 or more; 1 when absent.'),
    unitPrice: nullable.safeInt('The negotiated price of one unit, in minor units, 0 or more.'),
    discountPercentage: nullable.decimal(discountText),
    trialEnd: nullable.time(`${trialText} It must be after the start of the subscription.`),
    name: nullable.text('The display name.'),
    externalId: nullable.text('Your own id of the item.'),
    metadata: nullable.json(
      'Key-value pairs; values are text of up to 500 characters, numbers, booleans, lists or objects.',
    ),
  },
});

export const UpdateSubscription = input('UpdateSubscriptionInput', {
  description: 'Changes to a subscription. Absent fields do not change.',
  fields: {
    name: nullable.text('The display name.'),
    metadata: nullable.json('Replaces all key-value pairs; null removes them.'),
    trialEnd: nullable.time(
      'Moves the end of a running trial to a time in the future. The first charge and the usage credits of the trial move with it.',
    ),
    billingCycleAnchorDate: nullable.time(
      'The instant from which billing periods repeat, within one interval after the end of the running period. The next period ends then, and is charged for its share.',
    ),
    anchorDayOfMonth: nullable.int(
      'The day of the month on which billing periods end from the next one on, 1 to 31; alternative to `billingCycleAnchorDate`. The next period ends on it and is charged for its share.',
    ),
    remainingPeriods: nullable.int(
      'The number of billing periods after the current one, with which the subscription ends, 0 to 1,000; null removes the limit.',
    ),
    draftWindowHours: nullable.int(
      'The hours after a billing period in which late usage counts for its invoice, 0 to 720; null for those of the organization.',
    ),
    billAt: nullable.safeInt(
      'The amount of unbilled usage at which an invoice bills it within its period, in minor units, 1 to 10^14; null for the end of the period only.',
    ),
    defaultPaymentMethodId: nullable.id(
      'The payment method to charge. The next billing round charges owed amounts.',
    ),
    backupPaymentMethodId: nullable.id(
      'The payment method to charge when the default one fails; null removes it.',
    ),
    collectionMethod: nullable.of(
      CollectionMethod,
      'How the next invoices are collected; open invoices keep their method.',
    ),
    daysUntilDue: daysUntilDueInput('unchanged'),
  },
});
