import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { adjustSubscriptionInput } from '#domain/subscriptions/adjusting/adjust-input.ts';
import {
  type AdjustedSubscription,
  adjustSubscription,
} from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import {
  type CanceledAdjustment,
  cancelScheduledAdjustment,
  cancelScheduledAdjustmentInput,
} from '#domain/subscriptions/commands/subscription-adjustments/cancel-scheduled-adjustment.ts';
import { previewAdjustment } from '#domain/subscriptions/commands/subscription-adjustments/preview-adjustment.ts';
import {
  type UpdatedItem,
  updateSubscriptionItem,
  updateSubscriptionItemInput,
} from '#domain/subscriptions/commands/subscription-adjustments/update-subscription-item.ts';
import { atMostBelow, upToMost } from '../engine/below.ts';
import type { Types } from '../engine/builder.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { flag, id, int, nullable, of } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { withOptionalId } from '../engine/reference.ts';
import { object } from '../engine/types.ts';
import {
  AdjustmentTiming,
  AdjustSubscription,
  UpdateSubscriptionItem,
} from './adjustment-inputs.ts';
import { AdjustmentPreview, ResolvedTiming } from './adjustment-preview.ts';

/** How long the processor is waited for, as documented; longer than other operations may take. */
const patienceSeconds = 60;

type Adjusted = PothosSchemaTypes.ObjectFieldBuilder<Types, AdjustedSubscription>;

/** The result of an adjustment. */
const adjusted = (t: Adjusted) => ({
  subscription: of(Subscription, 'The subscription in its present state.'),
  subscriptionItems: t.field({
    type: [SubscriptionItem],
    description: `The present items, including items that were added manually; ${atMostBelow}.`,
    resolve: ({ subscriptionItems }) => upToMost(subscriptionItems),
  }),
  resolvedTiming: of(ResolvedTiming, 'The resolved timing of the adjustment.'),
  isUpgrade: flag('Whether the new items cost more than the old ones.'),
  ...withOptionalId(
    'billingRun',
    BillingRun,
    'The unpaid billing run; the adjustment is applied after its payment. Null when no payment is pending.',
  ),
});

const AdjustedPayload = object<AdjustedSubscription>('AdjustSubscriptionPayload')({
  description: 'The result of `adjustSubscription`.',
  fields: adjusted,
});

const UpdatedItemPayload = object<UpdatedItem>('UpdateSubscriptionItemPayload')({
  description: 'The result of `updateSubscriptionItem`.',
  fields: (t) => ({
    ...adjusted(t),
    subscriptionItem: of(
      SubscriptionItem,
      'The item. An adjustment that waits for its payment or for the end of the period has not changed it yet.',
    ),
  }),
});

const Canceled = object<CanceledAdjustment>('CancelScheduledAdjustmentPayload')({
  description: 'A subscription after its scheduled adjustment was canceled.',
  fields: () => ({
    subscription: of(Subscription, 'The subscription in its present state.'),
    canceledItemCount: int('The number of scheduled items that were removed.'),
  }),
});

mutation('adjustSubscription', {
  returns: AdjustedPayload,
  description:
    'Changes the items of a subscription, now or at the end of its billing period. Charges due amounts first and waits up to 60 seconds for the payment. Errors: NOT_FOUND; BAD_REQUEST for a subscription that cannot be adjusted, and for a failed payment, which changes nothing.',
  args: {
    id: id('The id of the subscription.'),
    adjustment: of(AdjustSubscription, 'The items and the timing.'),
  },
  extensions: { inSteps: true, waitsSeconds: patienceSeconds },
  input: adjustSubscriptionInput,
  command: (session, input) =>
    adjustSubscription(session, input, AbortSignal.timeout(patienceSeconds * 1_000)),
});

mutation('updateSubscriptionItem', {
  returns: UpdatedItemPayload,
  description:
    'Adjusts one item of a subscription; its other items stay as they are. Charges due amounts first and waits up to 60 seconds for the payment. A dry run shows the effect. Errors: those of `adjustSubscription`; BAD_REQUEST for an item that has ended or was added manually.',
  args: {
    id: id('The id of the item.'),
    subscriptionItem: of(UpdateSubscriptionItem, 'The changes.'),
    timing: nullable.of(
      AdjustmentTiming,
      'When; `auto` when absent. A change of name, metadata and external id alone applies immediately.',
    ),
    prorateCurrentBillingPeriod: nullable.flag(
      'Whether the rest of the billing period is charged immediately; true when absent.',
    ),
    expectedVersion,
  },
  extensions: { inSteps: true, waitsSeconds: patienceSeconds },
  input: updateSubscriptionItemInput,
  command: (session, input) =>
    updateSubscriptionItem(session, input, AbortSignal.timeout(patienceSeconds * 1_000)),
});

mutation('previewSubscriptionAdjustment', {
  returns: [AdjustmentPreview, 'The effect of the adjustment.'],
  description:
    'Computes the effect of an adjustment without applying it; a refusal is part of the response. Errors: NOT_FOUND; BAD_REQUEST for invalid input.',
  args: {
    id: id('The id of the subscription.'),
    adjustment: of(AdjustSubscription, 'The items and the timing.'),
  },
  input: adjustSubscriptionInput,
  command: previewAdjustment,
});

mutation('cancelScheduledAdjustment', {
  returns: Canceled,
  description:
    'Cancels a scheduled adjustment; the present items remain. Errors: NOT_FOUND; BAD_REQUEST when no adjustment is scheduled.',
  args: { id: id('The id of the subscription.') },
  input: cancelScheduledAdjustmentInput,
  command: cancelScheduledAdjustment,
});
