import { Price } from '#domain/model/catalog/price.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { actionUrlOfSubscription } from '#domain/money/collection/payment-action.ts';
import { nowOfSubscription, ownerOf } from '#domain/platform/reads/read-customer.ts';
import { mostItems } from '#domain/subscriptions/adjusting/adjust-input.ts';
import { nextStepOf } from '#domain/subscriptions/commands/subscriptions/next-step.ts';
import { presentMrr } from '#domain/subscriptions/commands/subscriptions/present-mrr.ts';
import { IntervalUnit } from '../catalog/prices.ts';
import { listBelow } from '../engine/below.ts';
import { flag, id, nullable, of, text, time } from '../engine/fields.ts';
import { withOptionalId } from '../engine/reference.ts';
import { shownTo } from '../engine/shown-to.ts';
import { record } from '../engine/types.ts';
import { collectionFields } from '../shared/collection-method.ts';
import {
  CancellationCredit,
  SubscriptionNextStep,
  SubscriptionStatus,
} from '../shared/subscription-status.ts';
import { SubscriptionCommitment } from './commitments.ts';

record(Subscription, {
  description: 'A subscription of a customer.',
  fields: (t) => ({
    mrr: t.field({
      type: 'SafeInt',
      description:
        'The monthly recurring revenue by the customer’s clock, in minor units; 0 unless the customer pays.',
      resolve: ({ id }, _args, session) => presentMrr(session, id),
    }),
    startDate: time('The start of the subscription.'),
    customerId: id('The customer that subscribed.'),
    priceId: id('The price of the subscription.'),
    status: of(SubscriptionStatus, 'The status.'),
    current: flag('Whether the subscription is current, so that it grants its features.'),
    nextStep: t.field({
      type: SubscriptionNextStep,
      nullable: true,
      description:
        'The step required to start or keep the subscription, such as `add_payment_method`; null when none is required.',
      resolve: (subscription, _args, session) => nextStepOf(session, subscription),
    }),
    paymentActionUrl: t.string({
      nullable: true,
      description:
        'The page where the customer confirms a pending payment; null when none waits for it, and for a caller without the scope `payments_write`.',
      resolve: async (subscription, _args, session) =>
        shownTo(session, 'payments_write', await actionUrlOfSubscription(session, subscription)),
    }),
    ...withOptionalId('defaultPaymentMethod', PaymentMethod, 'The payment method to charge.'),
    ...withOptionalId(
      'backupPaymentMethod',
      PaymentMethod,
      'The payment method to charge when the default one fails.',
    ),
    cancellationReason: nullable.text(
      'The reason of the end, such as `upgraded_to_paid`; null after a requested cancellation.',
    ),
    ...withOptionalId(
      'replacedBySubscription',
      Subscription,
      'The paid subscription that replaced this free plan.',
    ),
    currency: text(
      'The currency of its prices and invoices, an ISO 4217 code in upper case. A free subscription follows its customer.',
    ),
    isFreePlan: flag('Whether the subscription is free of charge.'),
    doNotCharge: flag('Whether the subscription is never charged although its price is not 0.'),
    runBillingAtPeriodStart: flag(
      'Whether a billing period is charged at its start instead of its end.',
    ),
    ...collectionFields('the next invoices', 'where none is sent'),
    renews: flag('Whether the subscription has consecutive billing periods.'),
    interval: nullable.of(
      IntervalUnit,
      'The unit of the billing interval; null unless the subscription renews.',
    ),
    intervalCount: nullable.int(
      'The number of units in the billing interval; null unless the subscription renews.',
    ),
    name: nullable.text('The display name.'),
    paidUntil: nullable.time(
      'The boundary until which billing periods are paid elsewhere; null where every period is charged here.',
    ),
    trialEnd: nullable.time('The end of the free trial.'),
    currentBillingPeriodStart: nullable.time(
      'The start of the current or last billing period; null without one, and in a pause after its end.',
    ),
    currentBillingPeriodEnd: nullable.time(
      'The end of the current or last billing period; null without one, and in a pause after its end.',
    ),
    metadata: nullable.json(
      'Key-value pairs; values are text, numbers, booleans, lists or objects.',
    ),
    canceledAt: nullable.time('The time when the subscription ended.'),
    cancelScheduledAt: nullable.time('The time when the subscription ends or ended.'),
    cancellationCredit: nullable.of(
      CancellationCredit,
      'The way in which its cancellation returns unused time; null without a cancellation.',
    ),
    billingCycleAnchorDate: nullable.time(
      'The date from which billing periods are counted; after a trial, the trial’s end.',
    ),
    anchored: flag(
      'Whether the anchor was chosen. A billing period that begins within a cycle of it ends with the cycle, and is prorated.',
    ),
    remainingPeriods: nullable.int(
      'The number of billing periods after the current one, with which it ends; null without a limit.',
    ),
    draftWindowHours: nullable.int(
      'The hours after a billing period in which late usage counts for its invoice; null for those of the organization.',
    ),
    billAt: nullable.safeInt(
      'The amount of unbilled usage at which an invoice bills it within its period, in minor units; null where the end of the period does.',
    ),
    commitment: t.field({
      type: SubscriptionCommitment,
      nullable: true,
      description: 'The amount that the customer commits to spend; null without a commitment.',
      resolve: (subscription) => (subscription.commitment ? subscription : null),
    }),
    externalId: nullable.text('Your own id of the subscription, unique in the pricing model.'),
    scheduledAdjustmentAt: nullable.time('The time when a scheduled adjustment takes effect.'),
    customer: t.field({
      type: Customer,
      description: 'The customer that subscribed.',
      resolve: (subscription, _args, session) => ownerOf(session, subscription),
    }),
    price: t.field({
      type: Price,
      description: 'The price of the subscription.',
      resolve: ({ price }) => price.loadOrFail(),
    }),
    itemsPage: listBelow(t, SubscriptionItem, {
      by: 'subscription',
      description: 'The items, including ended ones.',
    }),
    pricedItems: t.field({
      type: [SubscriptionItem],
      description: `The current items with a price, by the customer’s clock, without items that were added manually; at most ${mostItems}.`,
      resolve: async (subscription, _args, session) => {
        const now = await nowOfSubscription(session, subscription);
        const items = await subscription.items.loadItems();
        return items.filter((item) => item.priceId && item.isActive(now));
      },
    }),
  }),
});
