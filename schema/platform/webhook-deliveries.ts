import { Event } from '#domain/model/platform/event.ts';
import { Webhook } from '#domain/model/platform/webhook.ts';
import {
  type DeliveryAttempt,
  deliveryStatuses,
  WebhookDelivery,
} from '#domain/model/platform/webhook-delivery.ts';
import { lastResponseSql } from '#domain/platform/commands/webhook-deliveries/last-response.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { id, int, nullable, of } from '../engine/fields.ts';
import { listField } from '../engine/lists.ts';
import { reference, withId } from '../engine/reference.ts';
import { nodeId } from '../engine/type-names.ts';
import { object, record } from '../engine/types.ts';
import { byEnum, byId, byTime, custom } from '../engine/where.ts';

const WebhookDeliveryStatus = builder.enumType('WebhookDeliveryStatus', {
  description: 'The status of a delivery; further attempts follow only while it is `pending`.',
  values: described(deliveryStatuses, {
    pending: 'Further attempts follow.',
    delivered: 'The endpoint accepted the event.',
    failed: 'All attempts failed.',
  }),
});

const WebhookAttempt = object<DeliveryAttempt>('WebhookAttempt')({
  description: 'One request to an endpoint.',
  fields: (t) => ({
    at: t.field({
      type: 'Timestamp',
      description: 'The time of the request.',
      resolve: ({ at }) => new Date(at),
    }),
    durationMilliseconds: int('The duration until the endpoint’s response, in milliseconds.'),
    responseStatus: nullable.int('The status of the endpoint’s response; null without a response.'),
    responseBody: nullable.text('The first 4 KiB of the endpoint’s response.'),
    error: nullable.text('The reason of the failure; null for a success.'),
  }),
});

record(WebhookDelivery, {
  description: 'The delivery of an event to an endpoint, with its attempts.',
  fields: (t) => ({
    ...withId('webhook', Webhook, 'The webhook.'),
    eventId: id('The id of the event, which every request sends as `webhook-id`.'),
    eventType: of('EventType', 'The type of the event.'),
    sequence: of('Sequence', 'The event’s position in the feed.'),
    objectId: id('The object; its deliveries to one endpoint keep their order.'),
    object: t.node({
      id: ({ objectId }, _args, session) => nodeId(objectId, session),
      description: 'The object in its present state; null when it no longer exists.',
    }),
    status: of(WebhookDeliveryStatus, 'The status.'),
    attemptCount: int('The number of attempts since the delivery was last requested, at most 8.'),
    attempts: of([WebhookAttempt], 'The attempts, oldest first; at most the last 20.'),
    nextAttemptAt: nullable.time(
      'The time of the next attempt; null when none is planned, and while an earlier event of the object is pending.',
    ),
    deliveredAt: nullable.time('The time when the endpoint accepted the event; null before.'),
    event: reference(Event, 'eventId', 'The event to deliver.'),
  }),
});

builder.queryField('webhookDelivery', (t) =>
  t.field({
    type: WebhookDelivery,
    description: 'One delivery. Errors: NOT_FOUND.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the delivery.' }),
      webhookId: t.arg.id({
        description: 'The id of the webhook that the delivery must belong to.',
      }),
    },
    resolve: (_root, { id, webhookId }, { em }) =>
      em.findOneOrFail(WebhookDelivery, { id, ...(webhookId != null && { webhookId }) }),
  }),
);

listField({
  many: 'webhookDeliveries',
  name: 'WebhookDelivery',
  noun: 'delivery',
  plural: 'deliveries',
  entity: WebhookDelivery,
  description:
    'The deliveries to endpoints, oldest first. Errors: NOT_FOUND for an unknown webhook; BAD_REQUEST for an invalid size or cursor.',
  parent: {
    argument: 'webhookId',
    description: 'The id of the webhook. Errors: NOT_FOUND.',
    conditionOf: async (webhookId, { em }) => {
      await em.findOneOrFail(Webhook, webhookId);
      return { webhookId };
    },
  },
  where: {
    webhook: byId('webhookId', 'The webhook.'),
    status: byEnum(WebhookDeliveryStatus, 'status', 'The status.'),
    event: byId('eventId', 'The event.'),
    eventType: byEnum('EventType', 'eventType', 'The type of the event.'),
    object: byId('objectId', 'The object.'),
    responseStatus: custom.count('The HTTP status of the last response.', lastResponseSql),
    deliveredAt: byTime('deliveredAt', 'The time of the successful attempt.'),
    nextAttemptAt: byTime('nextAttemptAt', 'The time of the next attempt.'),
  },
});
