import { replayWebhook, replayWebhookInput } from '#domain/webhook-deliveries/replay-webhook.ts';
import {
  retryWebhookDelivery,
  retryWebhookDeliveryInput,
} from '#domain/webhook-deliveries/retry-webhook-delivery.ts';
import { sendTestEvent, sendTestEventInput } from '#domain/webhook-deliveries/send-test-event.ts';
import { WebhookDelivery } from '#domain/webhook-deliveries/webhook-delivery.ts';
import { Webhook } from '#domain/webhooks/webhook.ts';
import { builder } from './engine/builder.ts';

const ReplayWebhookPayload = builder
  .objectRef<{ webhook: Webhook; deliveries: number }>('ReplayWebhookPayload')
  .implement({
    description: 'What a replay has made due.',
    fields: (t) => ({
      webhook: t.expose('webhook', { type: Webhook, description: 'The webhook.' }),
      deliveries: t.expose('deliveries', {
        type: 'SafeInt',
        description: 'How many events it is told, for the first time or again.',
      }),
    }),
  });

builder.mutationFields((t) => ({
  retryWebhookDelivery: t.field({
    type: WebhookDelivery,
    description:
      'Makes a delivery due now, whatever has become of it, with all attempts before it again. Errors: NOT_FOUND; BAD_REQUEST when its webhook is not active.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the delivery.' }),
      webhookId: t.arg.id({ description: 'The endpoint that it must belong to.' }),
    },
    validate: { schema: retryWebhookDeliveryInput },
    resolve: (_root, args, session) => retryWebhookDelivery(session, args),
  }),
  replayWebhook: t.field({
    type: ReplayWebhookPayload,
    description:
      'Tells an endpoint of every event of its types after a sequence or since a point in time, also of those it was told before. Errors: NOT_FOUND; BAD_REQUEST when it is not active, and for events that are no longer kept.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the webhook.' }),
      after: t.arg({ type: 'Sequence', description: 'Events after this sequence.' }),
      since: t.arg({
        type: 'Timestamp',
        description: 'Events since this point in time; in place of after.',
      }),
    },
    validate: { schema: replayWebhookInput },
    resolve: (_root, args, session) => replayWebhook(session, args),
  }),
  sendTestEvent: t.field({
    type: WebhookDelivery,
    description:
      'Sends an endpoint, and nobody else, a webhook.test event, whatever it listens to. Errors: NOT_FOUND; BAD_REQUEST when it is not active.',
    args: { id: t.arg.id({ required: true, description: 'The id of the webhook.' }) },
    validate: { schema: sendTestEventInput },
    resolve: (_root, args, session) => sendTestEvent(session, args),
  }),
}));
