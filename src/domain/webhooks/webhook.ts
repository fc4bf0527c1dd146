import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns } from '../columns.ts';
import type { EventType } from '../events/event-types.ts';

const WebhookSchema = defineEntity({
  name: 'Webhook',
  indexes: [{ name: 'webhook_page', properties: ['pricingModelId', 'createdAt', 'id'] }],
  properties: {
    ...tenantColumns('webhook'),
    name: p.string(),
    url: p.text(),
    filterTypes: p.array<EventType>().$type<EventType[]>(),
    active: p.boolean().default(true),
    /** Signs what is sent to the endpoint; shown once, when the webhook is created. */
    secret: p.string().hidden(),
  },
});

/** An endpoint that is told of events (specification, Webhook). */
export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);
