import { Price } from '#domain/model/catalog/price.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { mostItems, resolvedTimings } from '#domain/subscriptions/adjusting/adjust-input.ts';
import { scheduleOutcomes } from '#domain/subscriptions/adjusting/merge-schedule.ts';
import type {
  PreviewedAdjustment,
  PreviewedItem,
} from '#domain/subscriptions/commands/subscription-adjustments/preview-adjustment.ts';
import { IntervalUnit } from '../catalog/prices.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, nullable, of, safeInt, text, time } from '../engine/fields.ts';
import { withOptionalId } from '../engine/reference.ts';
import { object } from '../engine/types.ts';
import { PaymentMethodType } from '../money/payment-methods.ts';
import { trialEndOf } from './subscription-items.ts';

export const ResolvedTiming = builder.enumType('ResolvedAdjustmentTiming', {
  description: 'The time when an adjustment takes effect.',
  values: described(resolvedTimings, {
    immediately: 'The adjustment takes effect immediately.',
    at_end_of_current_billing_period:
      'The adjustment takes effect at the end of the current billing period.',
  }),
});

export const ScheduledAdjustmentOutcome = builder.enumType('ScheduledAdjustmentOutcome', {
  description: 'The effect of another command on the adjustment that is scheduled.',
  values: described(scheduleOutcomes, {
    kept: 'It applies as planned.',
    merged: 'It applies on top of the new items.',
    replaced: 'The new adjustment is scheduled in its place.',
    dropped: 'It does not apply.',
  }),
});

const PreviewedSubscriptionItem = object<PreviewedItem>('PreviewedSubscriptionItem')({
  description: 'An item of a subscription, either present or as it would be after the adjustment.',
  fields: (t) => ({
    name: text('The display name.'),
    unitPrice: safeInt('The price of one unit, in minor units.'),
    quantity: safeInt('The quantity.'),
    ...withOptionalId('price', Price, 'The price.'),
    trialEnd: t.field({
      type: 'Timestamp',
      nullable: true,
      description: 'The end of its trial; null without one.',
      resolve: trialEndOf,
    }),
  }),
});

const detail =
  (name: string) =>
  ({ paymentMethodData }: PaymentMethod) => {
    const value = paymentMethodData[name];
    return typeof value === 'string' ? value : null;
  };

const PreviewedPaymentMethod = object<PaymentMethod>('PreviewedPaymentMethod')({
  description:
    'The payment method that would be charged, with details that identify it to its owner.',
  fields: (t) => ({
    paymentMethodId: t.exposeID('id', {
      description:
        'The id of the payment method. The field is not named `id`, because caches would merge this summary with the full object.',
    }),
    paymentMethod: t.field({
      type: PaymentMethod,
      description: 'The payment method.',
      resolve: (paymentMethod) => paymentMethod,
    }),
    type: of(PaymentMethodType, 'The type of payment method.'),
    last4: t.string({
      nullable: true,
      description: 'The last digits of a card.',
      resolve: detail('last4'),
    }),
    brand: t.string({
      nullable: true,
      description: 'The brand of a card.',
      resolve: detail('brand'),
    }),
  }),
});

export const AdjustmentPreview = object<PreviewedAdjustment>('AdjustmentPreview')({
  description:
    'The effect of an adjustment; its fields are null when the adjustment is not possible.',
  fields: (t) => ({
    subscription: of(Subscription, 'The subscription in its present state.'),
    canAdjust: flag('Whether the adjustment is possible.'),
    reason: nullable.text('The reason why the adjustment is not possible.'),
    previewGeneratedAt: time('The time of the computation, by the customer’s clock.'),
    prorationAmount: nullable.safeInt(
      'The amount charged immediately, before tax and after the discount, in minor units.',
    ),
    discountAmount: nullable.safeInt(
      'The discount by which that amount is reduced, in minor units.',
    ),
    amountDue: nullable.safeInt(
      'The amount charged to the payment method, with tax and less the credit balance.',
    ),
    creditAmount: nullable.safeInt('The amount added to the customer’s credit balance.'),
    currentPlanTotal: nullable.safeInt('The present price of a billing period, in minor units.'),
    newPlanTotal: nullable.safeInt(
      'The price of a billing period after the adjustment, in minor units.',
    ),
    resolvedTiming: nullable.of(ResolvedTiming, 'The resolved timing of the adjustment.'),
    effectiveDate: nullable.time('The time when the adjustment takes effect.'),
    isUpgrade: nullable.flag('Whether the new items cost more than the current ones.'),
    percentThroughBillingPeriod: nullable.float(
      'The elapsed fraction of the billing period at that time, from 0 to 1.',
    ),
    billingPeriodEnd: nullable.time('The current billing period’s end.'),
    newInterval: t.field({
      type: IntervalUnit,
      nullable: true,
      description: 'The new unit of the billing interval; null when it does not change.',
      resolve: ({ newInterval }) => newInterval?.unit,
    }),
    newIntervalCount: t.int({
      nullable: true,
      description: 'The new number of units in the billing interval; null when it does not change.',
      resolve: ({ newInterval }) => newInterval?.count,
    }),
    newIntervalStart: nullable.time('The start of the first billing period with the new interval.'),
    scheduledAdjustment: nullable.of(
      ScheduledAdjustmentOutcome,
      'The effect on the adjustment that is scheduled already; null where none is scheduled.',
    ),
    scheduledSubscriptionItems: nullable.of(
      [PreviewedSubscriptionItem],
      `The items from the end of the billing period on, where an adjustment was scheduled already and still is; at most ${mostItems}.`,
    ),
    paymentMethod: nullable.of(PreviewedPaymentMethod, 'The payment method that would be charged.'),
    currentSubscriptionItems: nullable.of(
      [PreviewedSubscriptionItem],
      `The present items, without items that were added manually; at most ${mostItems}.`,
    ),
    newSubscriptionItems: nullable.of(
      [PreviewedSubscriptionItem],
      `The items after the adjustment, without items that were added manually; at most ${mostItems}.`,
    ),
  }),
});
