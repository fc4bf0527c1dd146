import { Webhook } from '#domain/model/platform/webhook.ts';
import { WebhookDelivery } from '#domain/model/platform/webhook-delivery.ts';
import { receiving } from '#domain/platform/commands/webhooks/receiving.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { byFlag, byPresence, byText, custom } from '../engine/where.ts';

builder.node(Webhook, {
  name: 'Webhook',
  description: 'An endpoint that receives events.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('webhook'),
  loadOne: loadOne(Webhook),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The display name.' }),
    url: t.exposeString('url', { description: 'The URL that receives events.' }),
    filterTypes: t.expose('filterTypes', {
      type: ['EventType'],
      description: 'The event types to deliver.',
    }),
    active: t.exposeBoolean('active', { description: 'Whether the endpoint receives events.' }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'The reason why the service disabled the webhook; null unless it did.',
    }),
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
