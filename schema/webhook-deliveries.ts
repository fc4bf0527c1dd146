import { Event } from '#domain/events/event.ts';
import { page } from '#domain/kernel/page.ts';
import { replayWebhook, replayWebhookInput } from '#domain/webhook-deliveries/replay-webhook.ts';
import {
  retryWebhookDelivery,
  retryWebhookDeliveryInput,
} from '#domain/webhook-deliveries/retry-webhook-delivery.ts';
import { sendTestEvent, sendTestEventInput } from '#domain/webhook-deliveries/send-test-event.ts';
import {
  type DeliveryAttempt,
  deliveryStatuses,
  WebhookDelivery,
} from '#domain/webhook-deliveries/webhook-delivery.ts';
import { Webhook } from '#domain/webhooks/webhook.ts';
import { builder } from './engine/builder.ts';
import { ListOrder } from './engine/connection.ts';
import { OrganizationRecord, PricingModelRecord } from './engine/records.ts';

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

builder.subscriptionField('webhookDeliveryChanged', (t) =>
  t.field({
    type: WebhookDelivery,
    description:
      'Each delivery as it is after it was written or tried, from now on. One that changes faster than it is read comes once. Errors: NOT_FOUND; SERVICE_UNAVAILABLE when changes may have been missed.',
    args: {
      webhookId: t.arg.id({ description: 'Only to this endpoint.' }),
      id: t.arg.id({ description: 'Only this delivery.' }),
    },
    subscribe: async (_root, filter, { em, watchDeliveries }) => {
      if (filter.webhookId != null) await em.findOneOrFail(Webhook, filter.webhookId);
      if (filter.id != null) await em.findOneOrFail(WebhookDelivery, filter.id);
      return watchDeliveries(filter) as AsyncIterable<never>;
    },
    resolve: (changed, _args, { em }) =>
      em.findOneOrFail(WebhookDelivery, (changed as WebhookDelivery).id),
  }),
);

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
