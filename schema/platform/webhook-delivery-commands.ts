import { Webhook } from '#domain/model/platform/webhook.ts';
import { WebhookDelivery } from '#domain/model/platform/webhook-delivery.ts';
import {
  replayWebhook,
  replayWebhookInput,
} from '#domain/platform/commands/webhook-deliveries/replay-webhook.ts';
import {
  retryWebhookDelivery,
  retryWebhookDeliveryInput,
} from '#domain/platform/commands/webhook-deliveries/retry-webhook-delivery.ts';
import {
  sendTestEvent,
  sendTestEventInput,
} from '#domain/platform/commands/webhook-deliveries/send-test-event.ts';
import { builder } from '../engine/builder.ts';
import { of, safeInt } from '../engine/fields.ts';
import { payload } from '../engine/payload.ts';
import { object } from '../engine/types.ts';

const ReplayWebhookPayload = object<{ webhook: Webhook; deliveries: number }>(
  'ReplayWebhookPayload',
)({
  description: 'The result of a replay.',
  fields: () => ({
    webhook: of(Webhook, 'The webhook.'),
    deliveries: safeInt('The number of events to deliver, for the first time or again.'),
  }),
});

builder.mutationFields((t) => ({
  retryWebhookDelivery: t.field({
    type: payload('retryWebhookDelivery', WebhookDelivery, 'The delivery.'),
    description:
      'Retries a delivery now, whatever its status, with all 8 attempts. Errors: NOT_FOUND; BAD_REQUEST when its webhook is not active.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the delivery.' }),
      webhookId: t.arg.id({
        description: 'The id of the webhook that the delivery must belong to.',
      }),
    },
    validate: { schema: retryWebhookDeliveryInput },
    resolve: (_root, args, session) => retryWebhookDelivery(session, args),
  }),
  replayWebhook: t.field({
    type: ReplayWebhookPayload,
    description:
      'Delivers all events of the webhook’s types after a sequence or since a point in time. Delivered events are sent again. Errors: NOT_FOUND; BAD_REQUEST when it is not active, and for events that are no longer retained.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the webhook.' }),
      after: t.arg({ type: 'Sequence', description: 'Delivers events after this sequence.' }),
      since: t.arg({
        type: 'Timestamp',
        description: 'Delivers events since this point in time; alternative to `after`.',
      }),
    },
    validate: { schema: replayWebhookInput },
    resolve: (_root, args, session) => replayWebhook(session, args),
  }),
  sendTestEvent: t.field({
    type: payload('sendTestEvent', WebhookDelivery, 'The delivery of the test event.'),
    description:
      'Sends a webhook.test event to this webhook only, whatever its event types. Errors: NOT_FOUND; BAD_REQUEST when it is not active.',
    args: { id: t.arg.id({ required: true, description: 'The id of the webhook.' }) },
    validate: { schema: sendTestEventInput },
    resolve: (_root, args, session) => sendTestEvent(session, args),
  }),
}));
