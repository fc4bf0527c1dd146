import { Event } from '#domain/events/event.ts';
import { eventsPage } from '#domain/events/read-events.ts';
import type { Actor } from '#domain/kernel/session.ts';
import { builder } from './engine/builder.ts';
import { fieldMarks } from './engine/extensions.ts';

const ActorType = builder.enumType('ActorType', {
  description:
    'An API key (api_key), a scheduled job (job), or the service itself: its start or its command line (system).',
  values: ['api_key', 'job', 'system'] as const,
});

const EventActor = builder.objectRef<Actor>('EventActor').implement({
  description: 'Who acted.',
  fields: (t) => ({
    type: t.expose('type', { type: ActorType, description: 'The kind of actor.' }),
    id: t.exposeString('id', {
      description: 'The id of the API key, the name of the job, or cli, start or usage-batch.',
    }),
  }),
});

builder.objectType(Event, {
  name: 'Event',
  description: 'That an object was created or changed. One for each object and transaction.',
  fields: (t) => ({
    id: t.exposeID('id', { description: '`evt_…`, the same wherever the event is seen.' }),
    sequence: t.field({
      type: 'Sequence',
      description: 'Its place in the feed.',
      resolve: ({ sequence }) => sequence ?? 0,
    }),
    type: t.expose('type', {
      type: 'EventType',
      description: 'What has happened, such as product.updated.',
    }),
    objectType: t.exposeString('objectType', {
      description: 'The type of the object, such as Product.',
    }),
    objectId: t.exposeID('objectId', { description: 'The id of the object.' }),
    objectVersion: t.exposeInt('objectVersion', {
      description: 'Counts the changes of the object, from 1.',
    }),
    data: t.expose('data', {
      type: 'JSON',
      description: 'The object as it was then, as it is read by id.',
    }),
    previousAttributes: t.expose('previousAttributes', {
      type: 'JSON',
      nullable: true,
      description: 'Of what has changed, what it was before; null for a new object.',
    }),
    customerId: t.exposeID('customerId', {
      nullable: true,
      description: 'The customer whom it concerns; null for the catalog.',
    }),
    livemode: t.exposeBoolean('livemode', {
      description: 'Live data (true) or test data (false).',
    }),
    organizationId: t.exposeID('organizationId', { description: 'The organization that owns it.' }),
    pricingModelId: t.exposeID('pricingModelId', {
      description: 'The pricing model it belongs to.',
    }),
    occurredAt: t.expose('occurredAt', { type: 'Timestamp', description: 'When it happened.' }),
    causeId: t.exposeString('causeId', {
      nullable: true,
      description: 'The request (its X-Request-Id) or the job that caused it.',
    }),
    actor: t.field({
      type: EventActor,
      nullable: true,
      description: 'Who acted; null in events from before actors were recorded.',
      resolve: ({ actorType, actorId }) =>
        actorType ? { type: actorType, id: actorId ?? '' } : null,
    }),
  }),
});

builder.queryField('events', (t) =>
  t.connection(
    {
      type: Event,
      description:
        'The change feed, in its order. A cursor is the sequence of its event. Errors: BAD_REQUEST for a sequence that is no longer kept.',
      args: {
        types: t.arg({ type: ['EventType'], description: 'Only events of these types.' }),
        customerId: t.arg.id({ description: 'Only events that concern this customer.' }),
        objectId: t.arg.id({ description: 'Only events of this object.' }),
      },
      resolve: (_root, args, session) => eventsPage(session, args) as never,
    },
    { name: 'EventConnection', description: 'A page of the change feed.' },
    { name: 'EventEdge', description: 'An event and its place in the feed.' },
  ),
);

builder.subscriptionField('events', (t) =>
  t.field({
    type: Event,
    description:
      'The change feed: first what was missed after a sequence, then what happens, without gap or repetition. Errors: BAD_REQUEST for a sequence that is no longer kept; SERVICE_UNAVAILABLE, with the sequence to go on from, for a client that is too slow.',
    args: {
      after: t.arg({
        type: 'Sequence',
        description:
          'The last sequence seen; from now on when absent. SSE clients may send Last-Event-ID.',
      }),
      types: t.arg({ type: ['EventType'], description: 'Only events of these types.' }),
      customerId: t.arg.id({ description: 'Only events that concern this customer.' }),
      objectId: t.arg.id({ description: 'Only events of this object.' }),
    },
    subscribe: (_root, { after, ...filter }, { follow, lastEventId }) =>
      follow(filter, after ?? lastEventId),
    // Whatever is asked of an event is answered by the event itself, so it is answered once for all.
    extensions: fieldMarks({ fromEventAlone: true }),
    resolve: (event) => event,
  }),
);
