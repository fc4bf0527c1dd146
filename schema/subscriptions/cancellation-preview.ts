import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { PreviewedCancellation } from '#domain/subscriptions/commands/subscriptions/preview-cancellation.ts';
import { flag, nullable, of, time } from '../engine/fields.ts';
import { object } from '../engine/types.ts';
import { ScheduledAdjustmentOutcome } from './adjustment-preview.ts';

export const CancellationPreview = object<PreviewedCancellation>('CancellationPreview')({
  description:
    'The effect of a cancellation; its fields are null when the cancellation is not possible.',
  fields: (t) => ({
    subscription: of(Subscription, 'The subscription in its present state.'),
    canCancel: flag('Whether the cancellation is possible.'),
    reason: nullable.text('The reason why the cancellation is not possible.'),
    previewGeneratedAt: time('The time of the computation, by the customer’s clock.'),
    endsAt: nullable.time('The end of the subscription.'),
    creditAmount: t.expose('credited', {
      type: 'SafeInt',
      nullable: true,
      description: 'The amount that the customer’s credit balance gets, with tax, in minor units.',
    }),
    refundAmount: t.expose('refunded', {
      type: 'SafeInt',
      nullable: true,
      description: 'The amount that is refunded, with tax, in minor units.',
    }),
    writtenOffAmount: t.expose('writtenOff', {
      type: 'SafeInt',
      nullable: true,
      description: 'The amount by which open invoices are reduced, with tax, in minor units.',
    }),
    scheduledAdjustment: nullable.of(
      ScheduledAdjustmentOutcome,
      'The effect on the adjustment that is scheduled; null where none is scheduled.',
    ),
    canceledPhaseCount: nullable.int('The number of planned phases that do not start.'),
  }),
});
