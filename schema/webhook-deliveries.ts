import { Event } from '#domain/events/event.ts';
import { page } from '#domain/kernel/page.ts';
import {
  type DeliveryAttempt,
  deliveryStatuses,
  WebhookDelivery,
} from '#domain/webhook-deliveries/webhook-delivery.ts';
import { Webhook } from '#domain/webhooks/webhook.ts';
import { builder } from './engine/builder.ts';
import { ListOrder } from './engine/connection.ts';
import { OrganizationRecord, PricingModelRecord } from './engine/readable.ts';

const WebhookDeliveryStatus = builder.enumType('WebhookDeliveryStatus', {
  description: 'What has become of a delivery: further attempts are made only while it is pending.',
  values: deliveryStatuses,
});

const WebhookAttempt = builder.objectRef<DeliveryAttempt>('WebhookAttempt').implement({
  description: 'One request to an endpoint.',
  fields: (t) => ({
    at: t.field({
      type: 'Timestamp',
      description: 'When it was made.',
      resolve: ({ at }) => new Date(at),
    }),
    durationMilliseconds: t.exposeInt('durationMilliseconds', {
      description: 'How long the endpoint took.',
    }),
    responseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'The status of its answer; null when there was none.',
    }),
    responseBody: t.exposeString('responseBody', {
      nullable: true,
      description: 'The first 4 KiB of its answer.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why it counts as failed; null when it does not.',
    }),
  }),
});

builder.node(WebhookDelivery, {
  name: 'WebhookDelivery',
  description: 'That an event is to be told to an endpoint, and how that went.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`webhook_delivery_…`' },
  loadOne: (id, { em }) => em.findOne(WebhookDelivery, id),
  fields: (t) => ({
    webhookId: t.exposeID('webhookId', { description: 'The endpoint.' }),
    eventId: t.exposeID('eventId', {
      description: 'The event, and the `webhook-id` of every request.',
    }),
    eventType: t.expose('eventType', { type: 'EventType', description: 'What has happened.' }),
    sequence: t.expose('sequence', {
      type: 'Sequence',
      description: 'The event’s place in the feed.',
    }),
    objectId: t.exposeID('objectId', {
      description: 'The object; its deliveries to one endpoint go in their order.',
    }),
    status: t.expose('status', {
      type: WebhookDeliveryStatus,
      description: 'What has become of it.',
    }),
    attemptCount: t.exposeInt('attemptCount', {
      description: 'Attempts since it was last asked for, 8 at most.',
    }),
    attempts: t.field({
      type: [WebhookAttempt],
      description: 'Every attempt, the oldest first; the last 20 are kept.',
      resolve: ({ attempts }) => attempts,
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'Timestamp',
      nullable: true,
      description:
        'When it is tried next; null when it is not, and while an earlier event of the object is not done.',
    }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When the endpoint has taken it; null unless it has.',
    }),
    event: t.field({
      type: Event,
      description: 'What the endpoint is told.',
      resolve: ({ eventId }, _args, { em }) => em.findOneOrFail(Event, eventId),
    }),
  }),
});

builder.queryField('webhookDelivery', (t) =>
  t.field({
    type: WebhookDelivery,
    description: 'One delivery. Errors: NOT_FOUND.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the delivery.' }),
      webhookId: t.arg.id({ description: 'The endpoint that it must belong to.' }),
    },
    resolve: (_root, { id, webhookId }, { em }) =>
      em.findOneOrFail(WebhookDelivery, { id, ...(webhookId != null && { webhookId }) }),
  }),
);

const WebhookDeliveryFilter = builder.inputType('WebhookDeliveryFilter', {
  description: 'Which deliveries to list.',
  fields: (t) => ({
    webhookId: t.id({ description: 'To this endpoint. Errors: NOT_FOUND.' }),
    status: t.field({ type: WebhookDeliveryStatus, description: 'With this outcome.' }),
    eventId: t.id({ description: 'Of this event.' }),
    eventType: t.field({ type: 'EventType', description: 'Of events of this type.' }),
    objectId: t.id({ description: 'Of events of this object.' }),
  }),
});

builder.queryField('webhookDeliveries', (t) =>
  t.connection(
    {
      type: WebhookDelivery,
      description:
        'What endpoints were told or are to be told, oldest first. Errors: NOT_FOUND for an unknown webhook; BAD_REQUEST for a bad size or cursor.',
      args: {
        filter: t.arg({
          type: WebhookDeliveryFilter,
          description: 'Only rows that equal all of these.',
        }),
        orderBy: t.arg({ type: ListOrder, description: 'created_at_asc when absent.' }),
      },
      resolve: async (_root, { filter, ...args }, session) => {
        if (filter?.webhookId != null) await session.em.findOneOrFail(Webhook, filter.webhookId);
        const given = Object.entries(filter ?? {}).filter(([, value]) => value != null);
        const input = { ...args, filter: Object.fromEntries(given) };
        return page(session, WebhookDelivery, input) as never;
      },
    },
    { name: 'WebhookDeliveryConnection', description: 'A page of deliveries.' },
    { name: 'WebhookDeliveryEdge', description: 'A delivery and its place in the list.' },
  ),
);
