import type { Page } from '#domain/kernel/lists/page.ts';
import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Event } from '#domain/model/platform/event.ts';
import {
  type AuditColumn,
  auditPage,
  auditPagesBelow,
} from '#domain/platform/commands/events/audit-page.ts';
import {
  type SequenceInput,
  sequenceOrders,
} from '#domain/platform/commands/events/sequence-page.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { OrganizationRecord } from '../engine/record-interfaces.ts';
import { byEnum, byId, byText, byTime, whereOf } from '../engine/where.ts';
import { ActorType } from '../shared/actors.ts';
import { EventConnection } from './events.ts';

export const AuditOrder = builder.enumType('AuditOrder', {
  description: 'The order of events in the audit log.',
  values: described(sequenceOrders, {
    sequence_asc: 'The oldest events are first.',
    sequence_desc: 'The newest events are first.',
  }),
});

/** The description of the argument `orderBy` of lists of events. */
export const auditOrderBy = 'The order; `sequence_asc` when absent.';

/** A page of the events of one parent. The first pages of all parents of one level share one statement. */
export async function eventsBelow(
  session: Session,
  column: AuditColumn,
  parent: string,
  args: SequenceInput,
): Promise<Page<Event>> {
  const name = JSON.stringify(['events', column, args]);
  const page = await batched(session, name, parent, (session, parents) =>
    auditPagesBelow(session, column, parents, args),
  );
  if (!page) throw new Error(`There is no page of ${parent}`);
  return page;
}

const AuditWhere = whereOf('Audit', 'events of the audit log', {
  id: byId('id', 'The id of the event.'),
  type: byEnum('EventType', 'type', 'The type of the event.'),
  object: byId('objectId', 'The changed object.'),
  objectType: byText('objectType', 'The type of the changed object, such as `Invoice`.'),
  customer: byId('customerId', 'The customer that the event concerns.'),
  cause: byId('cause', 'The cause.'),
  actor: byId('actorId', 'The id of the API key or customer token, or the name of the job.'),
  actorType: byEnum(ActorType, 'actorType', 'The type of the actor.'),
  occurredAt: byTime('occurredAt', 'The time of the change, by the clock of its customer.'),
  recordedAt: byTime('recordedAt', 'The time of the change, by the clock of the service.'),
});

builder.queryField('auditLog', (t) =>
  t.connection(
    {
      type: Event,
      description:
        'All stored events, also those that the feed no longer shows. The cursor of an event is its sequence. Errors: BAD_REQUEST for an invalid size or cursor.',
      args: {
        where: t.arg({
          type: AuditWhere.type,
          description: 'Returns only events that match all of these.',
        }),
        orderBy: t.arg({ type: AuditOrder, description: auditOrderBy }),
      },
      resolve: (_root, { where, ...args }, session) =>
        auditPage(session, args, AuditWhere.conditionOf(where, session)),
    },
    EventConnection,
  ),
);

builder.interfaceField(OrganizationRecord, 'history', (t) =>
  t.connection(
    {
      type: Event,
      authScopes: { secretKey: true },
      description:
        'The events of the object: its creation and each change with the previous values. Errors: BAD_REQUEST for an invalid size or cursor.',
      args: { orderBy: t.arg({ type: AuditOrder, description: auditOrderBy }) },
      resolve: (record, args, session) =>
        eventsBelow(session, 'object_id', (record as unknown as { id: string }).id, args),
    },
    EventConnection,
  ),
);
