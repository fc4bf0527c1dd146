import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import {
  addFeatureToSubscription,
  addFeatureToSubscriptionInput,
} from '#domain/subscriptions/commands/subscriptions/add-feature-to-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { cancelSubscriptionInput } from '#domain/subscriptions/commands/subscriptions/cancellation-input.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import { createSubscriptionInput } from '#domain/subscriptions/commands/subscriptions/create-subscription-input.ts';
import {
  pauseSubscription,
  pauseSubscriptionInput,
} from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { previewCancellation } from '#domain/subscriptions/commands/subscriptions/preview-cancellation.ts';
import {
  resumeSubscription,
  resumeSubscriptionInput,
} from '#domain/subscriptions/commands/subscriptions/resume-subscription.ts';
import {
  uncancelSubscription,
  uncancelSubscriptionInput,
} from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import {
  updateSubscription,
  updateSubscriptionInput,
} from '#domain/subscriptions/commands/subscriptions/update-subscription.ts';
import { IntervalUnit } from '../catalog/prices.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { id, nullable, of } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { CollectionMethod, daysUntilDueInput } from '../shared/collection-method.ts';
import { CancellationPreview } from './cancellation-preview.ts';
import { CommitmentInput } from './commitments.ts';
import {
  CancelSubscription,
  FirstItem,
  PauseSubscription,
  UpdateSubscription,
} from './subscription-inputs.ts';
import { PhaseInput } from './subscription-phase-commands.ts';

mutation('createSubscription', {
  returns: [Subscription, 'The new subscription.'],
  extensions: { inSteps: true },
  description:
    'Subscribes a customer to a price or to several items; a paid subscription replaces a free plan. Without a payment method, a paid subscription is incomplete and grants nothing. The free plan then stays current until the first payment, and nextStep states the missing step. A further subscription replaces an incomplete one. Errors: BAD_REQUEST for a price that cannot be subscribed to; CONFLICT when the customer is already subscribed.',
  args: {
    customerId: nullable.id('The id of the customer; alternative to `customerExternalId`.'),
    customerExternalId: nullable.text('Your own id of the customer; alternative to `customerId`.'),
    priceId: nullable.id('The id of an active subscription price; alternative to `priceSlug`.'),
    priceSlug: nullable.text('The slug of an active subscription price; alternative to `priceId`.'),
    quantity: nullable.safeInt('The quantity; 1 when absent.'),
    items: nullable.of(
      [FirstItem],
      'Several items, or items with negotiated prices, in place of price and quantity; at most 100. Their prices have one currency and one interval. The most expensive item determines name, trial and interval.',
    ),
    phases: nullable.of(
      [PhaseInput],
      'The items from later billing periods on, at most 50 phases in the order of their starts.',
    ),
    startDate: nullable.time('The start; now when absent.'),
    interval: nullable.of(
      IntervalUnit,
      'The unit of the billing interval; the price’s when absent.',
    ),
    intervalCount: nullable.int(
      'The number of units in the billing interval; the price’s when absent.',
    ),
    trialEnd: nullable.time(
      'The end of the trial; derived from the price when absent. A customer has at most one trial.',
    ),
    discountCode: nullable.text(
      'The code of a discount, which reduces the payments; or give `discountId`.',
    ),
    discountId: nullable.id(
      'The id of a discount, which reduces the payments; or give `discountCode`.',
    ),
    paidUntil: nullable.time(
      'For an import: the boundary until which billing periods are paid elsewhere. Earlier periods exist and are not charged, neither for the plan nor for usage. It is the end of a billing period that counts from `startDate`, at most of the present one.',
    ),
    billingCycleAnchorDate: nullable.time(
      'The instant from which billing periods repeat; the start or the end of the trial when absent. The first charged period ends with the running cycle and is charged for its share.',
    ),
    anchorDayOfMonth: nullable.int(
      'The day of the month on which billing periods end, at midnight UTC, 1 to 31; 1 means calendar months. Shorter months end on their last day. Alternative to `billingCycleAnchorDate`.',
    ),
    periodCount: nullable.int(
      'The number of charged billing periods after which the subscription ends; without an end when absent.',
    ),
    draftWindowHours: nullable.int(
      'The hours after a billing period in which late usage counts for its invoice, 0 to 720; those of the organization when absent.',
    ),
    billAt: nullable.safeInt(
      'The amount of unbilled usage at which an invoice bills it within its period, in minor units, 1 to 10^14; only the end of the period when absent.',
    ),
    commitment: nullable.of(
      CommitmentInput,
      'The amount that the customer commits to spend; the subscription is then charged also where its price is 0.',
    ),
    externalId: nullable.text('Your own id of the subscription, unique in the pricing model.'),
    metadata: nullable.json(
      'Key-value pairs; values are text of up to 500 characters, numbers, booleans, lists or objects.',
    ),
    name: nullable.text('The display name; derived from product and price when absent.'),
    defaultPaymentMethodId: nullable.id(
      'The payment method to charge; the customer’s default when absent.',
    ),
    backupPaymentMethodId: nullable.id('The payment method to charge when the default one fails.'),
    doNotCharge: nullable.flag('Whether the subscription is never charged; false when absent.'),
    collectionMethod: nullable.of(
      CollectionMethod,
      'How invoices are collected; as the customer’s when absent. With `send_invoice` the subscription needs no payment method and begins at once.',
    ),
    daysUntilDue: daysUntilDueInput('as the customer’s'),
  },
  input: createSubscriptionInput,
  command: createSubscription,
});

mutation('updateSubscription', {
  returns: [Subscription, 'The changed subscription.'],
  description:
    'Changes a subscription, but not its items: `adjustSubscription` changes those. An ended subscription changes its name and metadata only. Errors: NOT_FOUND; BAD_REQUEST.',
  args: {
    id: id('The id of the subscription.'),
    subscription: of(UpdateSubscription, 'The changes.'),
    expectedVersion,
  },
  input: updateSubscriptionInput,
  command: updateSubscription,
});

mutation('cancelSubscription', {
  returns: [Subscription, 'The subscription with its end.'],
  description:
    'Cancels a subscription, now, at the end of its billing period or at a date. A scheduled adjustment that would apply at the end or later is dropped. An ended subscription is returned unchanged. Errors: NOT_FOUND, also without a current period; BAD_REQUEST for a free plan, while an adjustment is being paid, and for a later end of an incomplete or paused subscription.',
  args: {
    id: id('The id of the subscription.'),
    cancellation: of(
      CancelSubscription,
      'The time of the end, and the way in which unused time is returned.',
    ),
  },
  input: cancelSubscriptionInput,
  command: cancelSubscription,
});

mutation('previewSubscriptionCancellation', {
  returns: [CancellationPreview, 'The effect of the cancellation.'],
  description:
    'Computes the effect of a cancellation without making it; a refusal is part of the response. Errors: NOT_FOUND; BAD_REQUEST for invalid input.',
  args: {
    id: id('The id of the subscription.'),
    cancellation: of(
      CancelSubscription,
      'The time of the end, and the way in which unused time is returned.',
    ),
  },
  input: cancelSubscriptionInput,
  command: previewCancellation,
});

mutation('pauseSubscription', {
  returns: [Subscription, 'The subscription with its pause.'],
  description:
    'Pauses a subscription, now or at the end of its billing period. A paused one grants nothing and keeps its claims, unless `entitlements` is `on`. Its period runs to its end. No other one follows, unless `billing` is `keeps`. A paused one gets the new `resumesAt`. Errors: NOT_FOUND; BAD_REQUEST for a free plan, for one without billing periods, that awaits its first payment or is to be canceled, and during an adjustment.',
  args: {
    id: id('The id of the subscription.'),
    pause: of(PauseSubscription, 'The pause.'),
  },
  input: pauseSubscriptionInput,
  command: pauseSubscription,
});

mutation('resumeSubscription', {
  returns: [Subscription, 'The resumed subscription.'],
  description:
    'Ends the pause of a subscription, or reverts a scheduled one. The period in which it was paused continues. After its end, a new period starts now and is charged, and later ones repeat from here. A subscription without a pause is returned unchanged. Errors: NOT_FOUND.',
  args: { id: id('The id of the subscription.') },
  input: resumeSubscriptionInput,
  command: resumeSubscription,
});

mutation('uncancelSubscription', {
  returns: [Subscription, 'The subscription, which continues.'],
  description:
    'Reverts a scheduled cancellation; without one, the subscription is returned unchanged. Errors: NOT_FOUND; BAD_REQUEST for a paid subscription without a payment method.',
  args: { id: id('The id of the subscription.') },
  input: uncancelSubscriptionInput,
  command: uncancelSubscription,
});

mutation('addFeatureToSubscription', {
  returns: [SubscriptionItemFeature, 'The granted feature.'],
  description:
    'Adds a feature to a subscription that its product does not grant. Errors: NOT_FOUND; BAD_REQUEST for a feature that cannot be granted; CONFLICT for a subscription that has ended, and for capacity that was added before.',
  args: {
    id: id('The id of the subscription.'),
    featureId: nullable.id('The id of the feature; alternative to `featureSlug`.'),
    featureSlug: nullable.text('The slug of the feature; alternative to `featureId`.'),
    grantCreditsImmediately: nullable.flag(
      'Whether usage credits are granted immediately, once per period, valid until its end.',
    ),
  },
  input: addFeatureToSubscriptionInput,
  command: addFeatureToSubscription,
});
