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
import { id, nullable, of, safeInt } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
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

mutation('retryWebhookDelivery', {
  returns: [WebhookDelivery, 'The delivery.'],
  description:
    'Retries a delivery now, whatever its status, with all 8 attempts. Errors: NOT_FOUND; BAD_REQUEST when its webhook is not active.',
  args: {
    id: id('The id of the delivery.'),
    webhookId: nullable.id('The id of the webhook that the delivery must belong to.'),
  },
  input: retryWebhookDeliveryInput,
  command: retryWebhookDelivery,
});

mutation('replayWebhook', {
  returns: ReplayWebhookPayload,
  description:
    'Delivers all events of the webhook’s types after a sequence or since a point in time. Delivered events are sent again. Errors: NOT_FOUND; BAD_REQUEST when it is not active, and for events that are no longer retained.',
  args: {
    id: id('The id of the webhook.'),
    after: nullable.of('Sequence', 'Delivers events after this sequence.'),
    since: nullable.time('Delivers events since this point in time; alternative to `after`.'),
  },
  input: replayWebhookInput,
  command: replayWebhook,
});

mutation('sendTestEvent', {
  returns: [WebhookDelivery, 'The delivery of the test event.'],
  description:
    'Sends a webhook.test event to this webhook only, whatever its event types. Errors: NOT_FOUND; BAD_REQUEST when it is not active.',
  args: { id: id('The id of the webhook.') },
  input: sendTestEventInput,
  command: sendTestEvent,
});
