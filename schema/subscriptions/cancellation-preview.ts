import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { PreviewedCancellation } from '#domain/subscriptions/commands/subscriptions/preview-cancellation.ts';
import { builder } from '../engine/builder.ts';
import { ScheduledAdjustmentOutcome } from './adjustment-preview.ts';

export const CancellationPreview = builder
  .objectRef<PreviewedCancellation>('CancellationPreview')
  .implement({
    description:
      'The effect of a cancellation; its fields are null when the cancellation is not possible.',
    fields: (t) => ({
      subscription: t.expose('subscription', {
        type: Subscription,
        description: 'The subscription in its present state.',
      }),
      canCancel: t.exposeBoolean('canCancel', {
        description: 'Whether the cancellation is possible.',
      }),
      reason: t.exposeString('reason', {
        nullable: true,
        description: 'The reason why the cancellation is not possible.',
      }),
      previewGeneratedAt: t.expose('previewGeneratedAt', {
        type: 'Timestamp',
        description: 'The time of the computation, by the customer’s clock.',
      }),
      endsAt: t.expose('endsAt', {
        type: 'Timestamp',
        nullable: true,
        description: 'The end of the subscription.',
      }),
      creditAmount: t.expose('credited', {
        type: 'SafeInt',
        nullable: true,
        description:
          'The amount that the customer’s credit balance gets, with tax, in minor units.',
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
      scheduledAdjustment: t.expose('scheduledAdjustment', {
        type: ScheduledAdjustmentOutcome,
        nullable: true,
        description:
          'The effect on the adjustment that is scheduled; null where none is scheduled.',
      }),
      canceledPhaseCount: t.exposeInt('canceledPhaseCount', {
        nullable: true,
        description: 'The number of planned phases that do not start.',
      }),
    }),
  });
