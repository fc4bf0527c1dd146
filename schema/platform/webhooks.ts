import { Webhook } from '#domain/model/platform/webhook.ts';
import { WebhookDelivery } from '#domain/model/platform/webhook-delivery.ts';
import { receiving } from '#domain/platform/commands/webhooks/receiving.ts';
import { listBelow } from '../engine/below.ts';
import { flag, nullable, of, text } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { record } from '../engine/types.ts';
import { byFlag, byPresence, byText, custom } from '../engine/where.ts';

record(Webhook, {
  description: 'An endpoint that receives events.',
  fields: (t) => ({
    name: text('The display name.'),
    url: text('The URL that receives events.'),
    filterTypes: of(['EventType'], 'The event types to deliver.'),
    active: flag('Whether the endpoint receives events.'),
    disabledReason: nullable.text(
      'The reason why the service disabled the webhook; null unless it did.',
    ),
    deliveries: listBelow(t, WebhookDelivery, {
      by: 'webhookId',
      description: 'The deliveries to the endpoint.',
    }),
  }),
});

readable({
  one: 'webhook',
  many: 'webhooks',
  noun: 'webhook',
  entity: Webhook,
  where: {
    name: byText('name', 'The display name.'),
    url: byText('url', 'The URL.'),
    active: byFlag('active', 'Active (true) or inactive (false).'),
    disabled: byPresence('disabledReason', 'Disabled by the service (true) or not (false).'),
    eventType: custom.oneOf('EventType', 'An event type that the webhook receives.', receiving),
  },
  orders: {
    name: { property: 'name', kind: 'text', words: 'name' },
  },
});
