import type { EntityClass } from '@mikro-orm/core';
import { relatedChoiceOf } from '#domain/kernel/lists/where.ts';
import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Operation } from '#domain/kernel/unit-cause.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Refund } from '#domain/model/money/refund.ts';
import { Cause } from '#domain/model/platform/cause.ts';
import { CronRun } from '#domain/model/platform/cron-run.ts';
import { Event } from '#domain/model/platform/event.ts';
import type { EventType } from '#domain/model/platform/event-types.ts';
import { WebhookDelivery } from '#domain/model/platform/webhook-delivery.ts';
import {
  type CausedObject,
  causedDeliveries,
  causedObjects,
  causesBefore,
  mostCaused,
} from '#domain/platform/commands/causes/caused.ts';
import { readCause } from '#domain/platform/commands/causes/read-cause.ts';
import { sequenceCommitted } from '#domain/platform/feed/sequence-events.ts';
import { builder } from '../engine/builder.ts';
import { id, nullable, of, text } from '../engine/fields.ts';
import { listField } from '../engine/lists.ts';
import { load } from '../engine/load.ts';
import { optionalReference } from '../engine/reference.ts';
import { nodeId } from '../engine/type-names.ts';
import { object, record } from '../engine/types.ts';
import { byEnum, byId, byText, custom } from '../engine/where.ts';
import { ActorType, EventActor } from '../shared/actors.ts';
import { AuditOrder, auditOrderBy, eventsBelow } from './audit-log.ts';
import { EventConnection } from './events.ts';

const most = `At most ${mostCaused}.`;

const CauseOperation = object<Operation>('CauseOperation')({
  description: 'The request as the client sent it, without its variables and its body.',
  fields: () => ({
    type: text('The type of the operation: `mutation`.'),
    name: nullable.text('The name of the GraphQL operation; null without a name, and for REST.'),
    fields: of(
      ['String'],
      'The root fields of the operation, such as `createInvoice`; at most 20.',
    ),
    method: nullable.text('The HTTP method of a REST request; null for GraphQL.'),
    route: nullable.text(
      'The route of a REST request, such as `/api/v1/customers/:externalId`; null for GraphQL.',
    ),
  }),
});

const CausedObjectType = object<CausedObject>('CausedObject')({
  description: 'An object that a cause created, changed or deleted.',
  fields: (t) => ({
    objectType: text('The type of the object, such as `Invoice`.'),
    objectId: id('The id of the object.'),
    object: t.node({
      id: ({ objectId }, _args, session) => nodeId(objectId, session),
      description: 'The object in its present state; null when it no longer exists.',
    }),
    eventTypes: t.field({
      type: ['EventType'],
      description: 'The types of its events, in their order.',
      resolve: ({ eventTypes }) => eventTypes as readonly EventType[],
    }),
  }),
});

const objectsOf = async (session: Session, id: string, type: string | null = null) =>
  (await batched(session, `caused ${type}`, id, (session, ids) =>
    causedObjects(session, ids, type),
  )) ?? [];

/** The payments or refunds that a cause changed. */
async function chargesOf<T extends Payment | Refund>(
  session: Session,
  id: string,
  entity: EntityClass<T>,
) {
  const objects = await objectsOf(session, id, entity.name);
  const found = objects.map(({ objectId }) => load(session, entity, objectId));
  return (await Promise.all(found)).filter((charge) => charge !== null);
}

record(Cause, {
  description:
    'One unit of work that changed something: a request, or the work of a job on one object.',
  interfaces: [],
  fields: (t) => ({
    at: t.expose('createdAt', {
      type: 'Timestamp',
      description: 'The time of the first change, by the clock of the service.',
    }),
    actor: t.field({
      type: EventActor,
      description: 'The actor.',
      resolve: ({ actorType, actorId }) => ({ type: actorType, id: actorId }),
    }),
    operation: nullable.of(
      CauseOperation,
      'The request; null for jobs and for the service itself.',
    ),
    requestId: nullable.text(
      'The X-Request-Id of the request, or of its WebSocket; null for jobs.',
    ),
    idempotencyKey: nullable.text('The `Idempotency-Key` of the request; null without one.'),
    address: nullable.text('The address of the client; null unless `AUDIT_ADDRESSES` is `true`.'),
    cronRun: optionalReference(
      CronRun,
      'cronRunId',
      'The run of the job; null for requests, and after the deletion of the run.',
    ),
    cronRunId: nullable.text(
      'The id of the run of the job: its name and its due time; null for requests.',
    ),
    subjectId: nullable.id('The id of the object that the job worked on; null for requests.'),
    subject: t.node({
      id: ({ subjectId }, _args, session) => nodeId(subjectId, session),
      description: 'The object that the job worked on; null for requests.',
    }),
    causedBy: t.field({
      type: Cause,
      nullable: true,
      description:
        'For a job the cause that last changed the object before, such as the advance of its test clock; null for requests.',
      resolve: async ({ id, subjectId }, _args, session) => {
        if (subjectId === null) return null;
        const before = await batched(session, 'causes before', id, causesBefore);
        return before === undefined ? null : load(session, Cause, before);
      },
    }),
    events: t.connection(
      {
        type: Event,
        description:
          'The events of the cause, in the order of the feed. Errors: BAD_REQUEST for an invalid size or cursor.',
        args: { orderBy: t.arg({ type: AuditOrder, description: auditOrderBy }) },
        resolve: ({ id }, args, session) => eventsBelow(session, 'cause', id, args),
      },
      EventConnection,
    ),
    objects: t.field({
      type: [CausedObjectType],
      description: `The changed objects, in the order of their first change. ${most}`,
      resolve: ({ id }, _args, session) => objectsOf(session, id),
    }),
    payments: t.field({
      type: [Payment],
      description: `The payments that it made or changed. ${most}`,
      resolve: ({ id }, _args, session) => chargesOf(session, id, Payment),
    }),
    refunds: t.field({
      type: [Refund],
      description: `The refunds that it made or changed. ${most}`,
      resolve: ({ id }, _args, session) => chargesOf(session, id, Refund),
    }),
    webhookDeliveries: t.field({
      type: [WebhookDelivery],
      description: `The deliveries of its events to webhooks, in the order of the feed. ${most}`,
      resolve: async ({ id }, _args, session) => {
        const found = (await batched(session, 'caused deliveries', id, causedDeliveries)) ?? [];
        const rows = await Promise.all(found.map(({ id }) => load(session, WebhookDelivery, id)));
        return rows.filter((row) => row !== null);
      },
    }),
  }),
});

builder.queryField('cause', (t) =>
  t.field({
    type: Cause,
    description: 'One cause. Errors: NOT_FOUND.',
    args: {
      id: t.arg.id({
        required: true,
        description:
          'The id of the cause, or the X-Request-Id of a request; the newest request where several have it.',
      }),
    },
    resolve: (_root, { id }, session) => readCause(session, id),
  }),
);

const changed = (column: string) =>
  relatedChoiceOf<string>(
    (alias, values) =>
      `exists (select 1 from event e where e.cause = ${alias}.id and e.pricing_model_id = ${alias}.pricing_model_id
         and e.sequence is not null and e.${column} in ${values})`,
  );

listField({
  many: 'causes',
  name: 'Cause',
  noun: 'cause',
  entity: Cause,
  // The conditions on events find those that have their place in the feed.
  before: ({ em }) => sequenceCommitted(em),
  where: {
    actor: byId('actorId', 'The id of the API key or customer token, or the name of the job.'),
    actorType: byEnum(ActorType, 'actorType', 'The type of the actor.'),
    requestId: byText('requestId', 'The X-Request-Id.'),
    idempotencyKey: byText('idempotencyKey', 'The `Idempotency-Key`.'),
    cronRun: byId('cronRunId', 'The run of the job.'),
    subject: byId('subjectId', 'The object that the job worked on.'),
    object: custom.id('An object that it changed.', changed('object_id')),
    customer: custom.id('A customer whose records it changed.', changed('customer_id')),
  },
});
