import { Webhook } from '#domain/webhooks/webhook.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

builder.node(Webhook, {
  name: 'Webhook',
  description: 'An endpoint of yours that is told of events.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`webhook_…`' },
  loadOne: (id, { em }) => em.findOne(Webhook, id),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name for people.' }),
    url: t.exposeString('url', { description: 'Where notifications are sent.' }),
    filterTypes: t.expose('filterTypes', {
      type: ['EventType'],
      description: 'The kinds of event that it is told of.',
    }),
    active: t.exposeBoolean('active', { description: 'Whether it is told of anything.' }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'Why the service has made it inactive; null when it has not.',
    }),
  }),
});

const WebhookFilter = builder.inputType('WebhookFilter', {
  description: 'Which webhooks to list.',
  fields: (t) => ({ active: t.boolean({ description: 'Active (true) or not.' }) }),
});

readable({
  one: 'webhook',
  many: 'webhooks',
  noun: 'webhook',
  entity: Webhook,
  filter: WebhookFilter,
});
