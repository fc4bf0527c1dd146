import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import {
  addFeatureToSubscription,
  addFeatureToSubscriptionInput,
} from '#domain/subscriptions/add-feature-to-subscription.ts';
import {
  cancellationTimings,
  cancelSubscription,
  cancelSubscriptionInput,
} from '#domain/subscriptions/cancel-subscription.ts';
import {
  createSubscription,
  createSubscriptionInput,
} from '#domain/subscriptions/create-subscription.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import {
  uncancelSubscription,
  uncancelSubscriptionInput,
} from '#domain/subscriptions/uncancel-subscription.ts';
import { builder } from './engine/builder.ts';
import { fieldMarks } from './engine/extensions.ts';
import { IntervalUnit } from './prices.ts';

const CancellationTiming = builder.enumType('CancellationTiming', {
  description: 'When a subscription is to end.',
  values: cancellationTimings,
});

const CancelSubscription = builder.inputType('CancelSubscriptionInput', {
  description: 'How to end a subscription.',
  fields: (t) => ({
    timing: t.field({ type: CancellationTiming, required: true, description: 'When.' }),
  }),
});

builder.mutationFields((t) => ({
  createSubscription: t.field({
    type: Subscription,
    extensions: fieldMarks({ inSteps: true }),
    description:
      'Subscribes a customer to a price; a free plan gives way to a paid one. A paid one without a payment method is incomplete: it grants nothing, the free plan stays current until the first payment, and nextStep says what is missing. Subscribing again replaces an incomplete one. Errors: BAD_REQUEST for what cannot be subscribed to; CONFLICT when the customer is subscribed already.',
    args: {
      customerId: t.arg.id({ description: 'Who subscribes; or customerExternalId.' }),
      customerExternalId: t.arg.string({
        description: 'Who subscribes, by the id of your own; or customerId.',
      }),
      priceId: t.arg.id({ description: 'To what; or priceSlug. An active subscription price.' }),
      priceSlug: t.arg.string({ description: 'To what, by the slug of the price; or priceId.' }),
      quantity: t.arg({ type: 'SafeInt', description: 'How many; 1 when absent.' }),
      startDate: t.arg({ type: 'Timestamp', description: 'When it begins; now when absent.' }),
      interval: t.arg({ type: IntervalUnit, description: 'That of the price when absent.' }),
      intervalCount: t.arg.int({ description: 'That of the price when absent.' }),
      trialEnd: t.arg({
        type: 'Timestamp',
        description:
          'When the trial ends; that of the price when absent. A customer has one trial ever.',
      }),
      metadata: t.arg({
        type: 'JSON',
        description: 'Names with a text of up to 500 characters, a number or a boolean.',
      }),
      name: t.arg.string({ description: 'Those of product and price when absent.' }),
      defaultPaymentMethodId: t.arg.id({
        description: 'What pays; the customer’s default when absent.',
      }),
      backupPaymentMethodId: t.arg.id({ description: 'What pays when the default one cannot.' }),
      doNotCharge: t.arg.boolean({ description: 'Whether to give it away; no when absent.' }),
    },
    validate: { schema: createSubscriptionInput },
    resolve: (_root, args, session) => createSubscription(session, args as never),
  }),
  cancelSubscription: t.field({
    type: Subscription,
    description:
      'Ends a subscription, now or with its billing period; one that has ended is answered as it is. Errors: NOT_FOUND, also without a current period; BAD_REQUEST for a free plan, while an adjustment is scheduled, and for the end of the period of an incomplete one.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      cancellation: t.arg({ type: CancelSubscription, required: true, description: 'How.' }),
    },
    validate: { schema: cancelSubscriptionInput },
    resolve: (_root, args, session) => cancelSubscription(session, args),
  }),
  uncancelSubscription: t.field({
    type: Subscription,
    description:
      'Takes a scheduled cancellation back; without one the subscription is answered as it is. Errors: NOT_FOUND; BAD_REQUEST for a paid one that nothing pays for.',
    args: { id: t.arg.id({ required: true, description: 'The id of the subscription.' }) },
    validate: { schema: uncancelSubscriptionInput },
    resolve: (_root, args, session) => uncancelSubscription(session, args),
  }),
  addFeatureToSubscription: t.field({
    type: SubscriptionItemFeature,
    description:
      'Gives a subscription a feature that its product does not bring. Errors: NOT_FOUND; BAD_REQUEST for a feature that cannot be granted; CONFLICT for a subscription that has ended, and for capacity that was added before.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      featureId: t.arg.id({ description: 'The feature; or featureSlug.' }),
      featureSlug: t.arg.string({ description: 'The feature, by its slug; or featureId.' }),
      grantCreditsImmediately: t.arg.boolean({
        description: 'Whether usage credits are given right away, once a period, until its end.',
      }),
    },
    validate: { schema: addFeatureToSubscriptionInput },
    resolve: (_root, args, session) => addFeatureToSubscription(session, args),
  }),
}));
