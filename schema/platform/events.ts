import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { Cause } from '#domain/model/platform/cause.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Event } from '#domain/model/platform/event.ts';
import { type EventType, eventTypes } from '#domain/model/platform/event-types.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { eventsPage } from '#domain/platform/commands/events/read-events.ts';
import { sequenceOrders } from '#domain/platform/commands/events/sequence-page.ts';
import { lastSequence, sequenceCommitted } from '#domain/platform/feed/sequence-events.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { fieldMarks, hiddenFromTokens } from '../engine/extensions.ts';
import { flag, id, int, nullable, of, text, time } from '../engine/fields.ts';
import { found, load, readsBy } from '../engine/load.ts';
import { optionalReference, withId, withOptionalId } from '../engine/reference.ts';
import { nodeId } from '../engine/type-names.ts';
import { record } from '../engine/types.ts';
import { byEnum, byId, byText, byTime, whereOf } from '../engine/where.ts';
import { EventActor } from '../shared/actors.ts';
import { shownData } from './event-data.ts';

const EventTypeName = builder.enumType('EventTypeName', {
  description: 'An event type as an enum, with underscores instead of dots.',
  values: Object.fromEntries(
    eventTypes.map((type) => [
      type.replaceAll('.', '_'),
      { value: type, description: `The event \`${type}\`.` },
    ]),
  ) as Record<string, { value: EventType; description: string }>,
});

// An event is visible from the moment when it has its place in the feed.
readsBy(Event, ({ em }, ids) => em.find(Event, { id: { $in: [...ids] }, sequence: { $ne: null } }));

record(Event, {
  description:
    'The creation or change of an object. Each transaction emits one event per changed object.',
  id: {
    resolve: ({ id }) => id,
    description: 'The event’s id, `evt_…`, the same in the feed, in webhooks and in live updates.',
  },
  interfaces: [],
  fields: (t) => ({
    sequence: t.field({
      type: 'Sequence',
      description: 'The event’s position in the feed.',
      resolve: ({ sequence }) => sequence ?? 0,
    }),
    type: of('EventType', 'The type of the event, such as `product.updated`.'),
    typeName: t.field({
      type: EventTypeName,
      description:
        'The same type as an enum value, with underscores instead of dots, for exhaustive cases in typed clients.',
      resolve: ({ type }) => type,
    }),
    objectType: text('The type of the object, such as `Product`.'),
    objectId: id('The id of the object.'),
    object: t.node({
      id: ({ objectId }, _args, session) => nodeId(objectId, session),
      description: 'The object in its present state; null when it no longer exists.',
    }),
    objectVersion: int('The version of the object, which counts its changes from 1.'),
    data: t.field({
      type: 'JSON',
      description: 'The object after the change, in the form in which it is read by id.',
      resolve: (event, _args, session) => shownData(session, event, event.data),
    }),
    previousAttributes: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The previous values of the changed fields; null for a new object.',
      resolve: (event, _args, session) => shownData(session, event, event.previousAttributes),
    }),
    ...withOptionalId(
      'customer',
      Customer,
      'The customer that the event concerns; null for the catalog.',
    ),
    livemode: flag('Live data (true) or test data (false).'),
    organizationId: id('The organization that owns the object.'),
    organization: optionalReference(
      OrganizationSettings,
      'organizationId',
      'The organization that owns the object.',
    ),
    ...withId('pricingModel', PricingModel, 'The pricing model that the object belongs to.'),
    occurredAt: time('The time of the change.'),
    causeId: nullable.text(
      'The X-Request-Id of the request, or the job, that caused the change.',
      hiddenFromTokens,
    ),
    cause: optionalReference(
      Cause,
      'cause',
      'The request, or the work of a job, that caused the change; null in events that precede the recording of causes.',
      hiddenFromTokens,
    ),
    actor: t.field({
      type: EventActor,
      nullable: true,
      extensions: hiddenFromTokens,
      description: 'The actor; null in events that precede the recording of actors.',
      resolve: ({ actorType, actorId }) =>
        actorType ? { type: actorType, id: actorId ?? '' } : null,
    }),
  }),
});

const EventOrder = builder.enumType('EventOrder', {
  description: 'The order of the change feed. The default is `sequence_asc`.',
  values: described(sequenceOrders, {
    sequence_asc: 'The oldest events are first.',
    sequence_desc: 'The newest events are first.',
  }),
});

const EventWhere = whereOf('Event', 'events', {
  id: byId('id', 'The id.'),
  type: byEnum('EventType', 'type', 'The type of the event.'),
  customer: byId('customerId', 'The customer that the event concerns.'),
  object: byId('objectId', 'The object.'),
  objectType: byText('objectType', 'The type of the object, such as `Product`.'),
  occurredAt: byTime('occurredAt', 'The time of the change.'),
  cause: byText('causeId', 'The request or the job that caused the change.'),
});

/** The pages of events, in the feed and in the audit log. */
export const EventConnection = builder.connectionObject(
  {
    type: Event,
    name: 'EventConnection',
    description: 'A page of events.',
    fields: (t) => ({
      asOfSequence: t.field({
        type: 'Sequence',
        description:
          'How far the feed reaches. Live updates after it, also for a caller who sees no event yet, continue what was read.',
        resolve: (_page, _args, { em }) => lastSequence(em),
      }),
    }),
  },
  { name: 'EventEdge', description: 'An event and its cursor.' },
);

builder.queryField('event', (t) =>
  t.field({
    type: Event,
    description: 'One event, from the moment when it has its place in the feed. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of the event, `evt_…`.' }) },
    resolve: async (_root, { id }, session) => {
      await sequenceCommitted(session.em);
      return found(await load(session, Event, id), `Event ${id}`);
    },
  }),
);

builder.queryField('events', (t) =>
  t.connection(
    {
      type: Event,
      description:
        'The change feed, ordered by sequence. The cursor of an event is its sequence. Errors: BAD_REQUEST for a sequence that is no longer retained.',
      args: {
        types: t.arg({
          type: ['EventType'],
          description: 'Returns only events of these types.',
        }),
        where: t.arg({
          type: EventWhere.type,
          description: 'Returns only events that match all of these.',
        }),
        orderBy: t.arg({ type: EventOrder, description: 'The order; `sequence_asc` when absent.' }),
      },
      resolve: (_root, { where, ...args }, session) => {
        const condition = EventWhere.conditionOf(where, session);
        return eventsPage(session, { ...args, condition });
      },
    },
    EventConnection,
  ),
);

builder.subscriptionField('events', (t) =>
  t.field({
    type: Event,
    description:
      'Emits the change feed without gaps or duplicates: first the events after a sequence, then new ones. Errors: BAD_REQUEST for a sequence that is no longer retained; SERVICE_UNAVAILABLE, with the sequence to resume from, for a client that is too slow.',
    args: {
      after: t.arg({
        type: 'Sequence',
        description:
          'The last sequence received; only new events when absent. SSE clients may send Last-Event-ID.',
      }),
      types: t.arg({ type: ['EventType'], description: 'Returns only events of these types.' }),
      customerId: t.arg.id({ description: 'Returns only events of this customer.' }),
      objectId: t.arg.id({ description: 'Returns only events of this object.' }),
    },
    subscribe: (_root, { after, ...filter }, { follow, lastEventId }) =>
      follow(filter, after ?? lastEventId),
    // The event itself answers all that is asked of it, so it is answered once for all.
    extensions: fieldMarks({ fromEventAlone: true }),
    resolve: (event) => event,
  }),
);
