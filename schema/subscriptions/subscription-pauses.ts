import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { builder } from '../engine/builder.ts';
import { PauseBilling, PauseEntitlements, UnpaidAccess } from '../shared/subscription-status.ts';

/** The pause of a subscription, and its access without payment. */
builder.objectFields(Subscription, (t) => ({
  pausedAt: t.expose('pausedAt', {
    type: 'Timestamp',
    nullable: true,
    description: 'The time since when it is paused; null while it is not.',
  }),
  pauseScheduledAt: t.expose('pauseScheduledAt', {
    type: 'Timestamp',
    nullable: true,
    description: 'The end of the billing period with which it pauses.',
  }),
  resumesAt: t.expose('resumesAt', {
    type: 'Timestamp',
    nullable: true,
    description: 'The time when the pause ends by itself; null where a caller ends it.',
  }),
  pauseBilling: t.expose('pauseBilling', {
    type: PauseBilling,
    nullable: true,
    description: 'Whether the pause charges further billing periods; null without a pause.',
  }),
  pauseEntitlements: t.expose('pauseEntitlements', {
    type: PauseEntitlements,
    nullable: true,
    description: 'Whether the pause keeps the features; null without a pause.',
  }),
  unpaidAt: t.expose('unpaidAt', {
    type: 'Timestamp',
    nullable: true,
    description:
      'The time since when it is unpaid after the last attempt; null while it owes nothing of that kind. It stays through a pause and a scheduled cancellation.',
  }),
  unpaidAccess: t.expose('unpaidAccess', {
    type: UnpaidAccess,
    nullable: true,
    description:
      'The access that it grants since then: the organization’s setting of that time, or of the start of the billing period if that is later.',
  }),
}));
