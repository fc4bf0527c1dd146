import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { adjustSubscriptionInput } from '#domain/rules/adjusting/adjust-input.ts';
import {
  type AdjustedSubscription,
  adjustSubscription,
} from '#domain/subscription-adjustments/adjust-subscription.ts';
import {
  type CanceledAdjustment,
  cancelScheduledAdjustment,
  cancelScheduledAdjustmentInput,
} from '#domain/subscription-adjustments/cancel-scheduled-adjustment.ts';
import { previewAdjustment } from '#domain/subscription-adjustments/preview-adjustment.ts';
import {
  updateSubscriptionItem,
  updateSubscriptionItemInput,
} from '#domain/subscription-adjustments/update-subscription-item.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import {
  AdjustmentTiming,
  AdjustSubscription,
  UpdateSubscriptionItem,
} from './adjustment-inputs.ts';
import { AdjustmentPreview, ResolvedTiming } from './adjustment-preview.ts';
import { atMostBelow, upToMost } from './engine/below.ts';
import { builder } from './engine/builder.ts';
import { expectedVersion } from './engine/expected-version.ts';
import { fieldMarks } from './engine/extensions.ts';
import { optionalReference } from './engine/reference.ts';

/** How long the processor is waited for, as documented; longer than other operations may take. */
export const patienceSeconds = 60;

const Adjusted = builder.objectRef<AdjustedSubscription>('AdjustedSubscription').implement({
  description: 'The result of an adjustment.',
  fields: (t) => ({
    subscription: t.expose('subscription', {
      type: Subscription,
      description: 'The subscription in its present state.',
    }),
    subscriptionItems: t.field({
      type: [SubscriptionItem],
      description: `The present items, including items that were added manually; ${atMostBelow}.`,
      resolve: ({ subscriptionItems }) => upToMost(subscriptionItems),
    }),
    subscriptionItem: t.expose('subscriptionItem', {
      type: SubscriptionItem,
      nullable: true,
      description:
        'The item that `updateSubscriptionItem` names. An adjustment that waits for its payment or for the end of the period has not changed it yet. Null for `adjustSubscription`.',
    }),
    resolvedTiming: t.expose('resolvedTiming', {
      type: ResolvedTiming,
      description: 'The resolved timing of the adjustment.',
    }),
    isUpgrade: t.exposeBoolean('isUpgrade', {
      description: 'Whether the new items cost more than the old ones.',
    }),
    billingRunId: t.exposeID('billingRunId', {
      nullable: true,
      description:
        'The unpaid billing run; the adjustment is applied after its payment. Null when no payment is pending.',
    }),
    billingRun: t.field(
      optionalReference(
        BillingRun,
        'billingRunId',
        'The unpaid billing run; the adjustment is applied after its payment. Null when no payment is pending.',
      ),
    ),
  }),
});

const Canceled = builder.objectRef<CanceledAdjustment>('CanceledScheduledAdjustment').implement({
  description: 'A subscription after its scheduled adjustment was canceled.',
  fields: (t) => ({
    subscription: t.expose('subscription', {
      type: Subscription,
      description: 'The subscription in its present state.',
    }),
    canceledItemCount: t.exposeInt('canceledItemCount', {
      description: 'The number of scheduled items that were removed.',
    }),
  }),
});

builder.mutationFields((t) => ({
  adjustSubscription: t.field({
    type: Adjusted,
    description:
      'Changes the items of a subscription, now or at the end of its billing period. Charges due amounts first and waits up to 60 seconds for the payment. Errors: NOT_FOUND; BAD_REQUEST for a subscription that cannot be adjusted, and for a failed payment, which changes nothing.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      adjustment: t.arg({
        type: AdjustSubscription,
        required: true,
        description: 'The items and the timing.',
      }),
    },
    validate: { schema: adjustSubscriptionInput },
    extensions: fieldMarks({ inSteps: true, waitsSeconds: patienceSeconds }),
    resolve: (_root, args, session) =>
      adjustSubscription(session, args as never, AbortSignal.timeout(patienceSeconds * 1_000)),
  }),
  updateSubscriptionItem: t.field({
    type: Adjusted,
    description:
      'Adjusts one item of a subscription; its other items stay as they are. Charges due amounts first and waits up to 60 seconds for the payment. A dry run shows the effect. Errors: those of `adjustSubscription`; BAD_REQUEST for an item that has ended or was added manually.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the item.' }),
      subscriptionItem: t.arg({
        type: UpdateSubscriptionItem,
        required: true,
        description: 'The changes.',
      }),
      timing: t.arg({
        type: AdjustmentTiming,
        description:
          'When; `auto` when absent. A change of name, metadata and external id alone applies immediately.',
      }),
      prorateCurrentBillingPeriod: t.arg.boolean({
        description:
          'Whether the rest of the billing period is charged immediately; true when absent.',
      }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    validate: { schema: updateSubscriptionItemInput },
    extensions: fieldMarks({ inSteps: true, waitsSeconds: patienceSeconds }),
    resolve: (_root, args, session) =>
      updateSubscriptionItem(session, args as never, AbortSignal.timeout(patienceSeconds * 1_000)),
  }),
  previewSubscriptionAdjustment: t.field({
    type: AdjustmentPreview,
    description:
      'Computes the effect of an adjustment without applying it; a refusal is part of the response. Errors: NOT_FOUND; BAD_REQUEST for invalid input.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      adjustment: t.arg({
        type: AdjustSubscription,
        required: true,
        description: 'The items and the timing.',
      }),
    },
    validate: { schema: adjustSubscriptionInput },
    resolve: (_root, args, session) => previewAdjustment(session, args as never),
  }),
  cancelScheduledAdjustment: t.field({
    type: Canceled,
    description:
      'Cancels a scheduled adjustment; the present items remain. Errors: NOT_FOUND; BAD_REQUEST when no adjustment is scheduled.',
    args: { id: t.arg.id({ required: true, description: 'The id of the subscription.' }) },
    validate: { schema: cancelScheduledAdjustmentInput },
    resolve: (_root, args, session) => cancelScheduledAdjustment(session, args),
  }),
}));
