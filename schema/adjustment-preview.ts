import type { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import { resolvedTimings } from '#domain/rules/adjusting/adjust-input.ts';
import type {
  PreviewedAdjustment,
  PreviewedItem,
} from '#domain/subscription-adjustments/preview-adjustment.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { builder } from './engine/builder.ts';
import { PaymentMethodType } from './payment-methods.ts';
import { IntervalUnit } from './prices.ts';

export const ResolvedTiming = builder.enumType('ResolvedAdjustmentTiming', {
  description: 'When an adjustment takes effect.',
  values: resolvedTimings,
});

const PreviewedSubscriptionItem = builder
  .objectRef<PreviewedItem>('PreviewedSubscriptionItem')
  .implement({
    description: 'An item of a subscription as it is or would be.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'The name for people.' }),
      unitPrice: t.expose('unitPrice', { type: 'SafeInt', description: 'Minor units for one.' }),
      quantity: t.expose('quantity', { type: 'SafeInt', description: 'How many.' }),
      priceId: t.exposeID('priceId', { nullable: true, description: 'The price.' }),
    }),
  });

const detail =
  (name: string) =>
  ({ paymentMethodData }: PaymentMethod) => {
    const value = paymentMethodData[name];
    return typeof value === 'string' ? value : null;
  };

const PreviewedPaymentMethod = builder
  .objectRef<PaymentMethod>('PreviewedPaymentMethod')
  .implement({
    description: 'What would pay, as people tell it from others.',
    fields: (t) => ({
      paymentMethodId: t.exposeID('id', {
        description:
          'The id of the payment method. It is not named `id`, since this is no copy of that object: caches would merge the two.',
      }),
      type: t.expose('type', { type: PaymentMethodType, description: 'The kind of it.' }),
      last4: t.string({
        nullable: true,
        description: 'The last digits of a card.',
        resolve: detail('last4'),
      }),
      brand: t.string({
        nullable: true,
        description: 'Whose card it is.',
        resolve: detail('brand'),
      }),
    }),
  });

export const AdjustmentPreview = builder
  .objectRef<PreviewedAdjustment>('AdjustmentPreview')
  .implement({
    description: 'What an adjustment would do; all of it is null when it cannot be made.',
    fields: (t) => ({
      subscription: t.expose('subscription', { type: Subscription, description: 'As it is now.' }),
      canAdjust: t.exposeBoolean('canAdjust', { description: 'Whether it can be made.' }),
      reason: t.exposeString('reason', { nullable: true, description: 'Why it cannot be made.' }),
      previewGeneratedAt: t.expose('previewGeneratedAt', {
        type: 'Timestamp',
        description: 'When this was worked out, by the customer’s clock.',
      }),
      prorationAmount: t.expose('prorationAmount', {
        type: 'SafeInt',
        nullable: true,
        description: 'What would be charged for at once, before tax, in minor units.',
      }),
      amountDue: t.expose('amountDue', {
        type: 'SafeInt',
        nullable: true,
        description: 'What the payment method would be charged: with tax, less the credit balance.',
      }),
      creditAmount: t.expose('creditAmount', {
        type: 'SafeInt',
        nullable: true,
        description: 'What the customer would get to its credit.',
      }),
      currentPlanTotal: t.expose('currentPlanTotal', {
        type: 'SafeInt',
        nullable: true,
        description: 'What a period costs now, in minor units.',
      }),
      newPlanTotal: t.expose('newPlanTotal', {
        type: 'SafeInt',
        nullable: true,
        description: 'What a period would cost, in minor units.',
      }),
      resolvedTiming: t.expose('resolvedTiming', {
        type: ResolvedTiming,
        nullable: true,
        description: 'When it would take effect.',
      }),
      effectiveDate: t.expose('effectiveDate', {
        type: 'Timestamp',
        nullable: true,
        description: 'The instant of that.',
      }),
      isUpgrade: t.exposeBoolean('isUpgrade', {
        nullable: true,
        description: 'Whether the new items cost more than the current ones.',
      }),
      percentThroughBillingPeriod: t.exposeFloat('percentThroughBillingPeriod', {
        nullable: true,
        description: 'How far the billing period would have come then, from 0 to 1.',
      }),
      billingPeriodEnd: t.expose('billingPeriodEnd', {
        type: 'Timestamp',
        nullable: true,
        description: 'When the current billing period ends.',
      }),
      newInterval: t.field({
        type: IntervalUnit,
        nullable: true,
        description: 'The unit of a billing period, where it would be another one.',
        resolve: ({ newInterval }) => newInterval?.unit,
      }),
      newIntervalCount: t.int({
        nullable: true,
        description: 'How many units a billing period would have, where that would change.',
        resolve: ({ newInterval }) => newInterval?.count,
      }),
      newIntervalStart: t.expose('newIntervalStart', {
        type: 'Timestamp',
        nullable: true,
        description: 'When the first billing period by the new interval would begin.',
      }),
      paymentMethod: t.expose('paymentMethod', {
        type: PreviewedPaymentMethod,
        nullable: true,
        description: 'What would pay.',
      }),
      currentSubscriptionItems: t.field({
        type: [PreviewedSubscriptionItem],
        nullable: true,
        description: 'What it consists of now, without what was added by hand.',
        resolve: ({ currentSubscriptionItems }) =>
          currentSubscriptionItems && [...currentSubscriptionItems],
      }),
      newSubscriptionItems: t.field({
        type: [PreviewedSubscriptionItem],
        nullable: true,
        description: 'What it would consist of, without what was added by hand.',
        resolve: ({ newSubscriptionItems }) => newSubscriptionItems && [...newSubscriptionItems],
      }),
    }),
  });
