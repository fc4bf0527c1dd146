import { defineEntity, p } from '@mikro-orm/core';
import { instant, safeInteger } from '#domain/kernel/columns.ts';
import type { Actor } from '#domain/kernel/session.ts';
import type { EventType } from './event-types.ts';

type Json = Record<string, unknown>;

/** Readers see numbered events only, so an event enters these indexes once, with its number. */
const numbered = { sequence: { $ne: null } } as const;

const EventSchema = defineEntity({
  name: 'Event',
  uniques: [
    {
      name: 'event_sequence_unique',
      properties: ['organizationId', 'livemode', 'sequence'],
      where: numbered,
    },
    {
      name: 'event_once_a_transaction',
      properties: ['transactionId', 'objectId'],
      where: { sequence: null },
    },
  ],
  indexes: [
    {
      name: 'event_unsequenced',
      properties: ['organizationId', 'livemode', 'position'],
      where: { sequence: null },
    },
    { name: 'event_feed', properties: ['pricingModelId', 'sequence'], where: numbered },
    { name: 'event_age', properties: ['recordedAt'], where: numbered },
    {
      name: 'event_object',
      properties: ['pricingModelId', 'objectId', 'sequence'],
      where: numbered,
    },
    {
      name: 'event_customer',
      properties: ['pricingModelId', 'customerId', 'sequence'],
      where: numbered,
    },
    {
      name: 'event_actor',
      properties: ['pricingModelId', 'actorId', 'sequence'],
      where: numbered,
    },
    { name: 'event_cause', properties: ['cause', 'sequence'], where: numbered },
  ],
  properties: {
    id: p.string().primary(),
    /** The place in the feed; null until the transaction is committed and the event is numbered. */
    sequence: safeInteger().nullable(),
    /** The order of insertion, in which sequences are assigned. */
    position: safeInteger().defaultRaw(`nextval('event_position')`).ignoreSchemaChanges('default'),
    transactionId: p.string().columnType('xid8').defaultRaw('pg_current_xact_id()'),
    type: p.string().$type<EventType>(),
    objectType: p.string(),
    objectId: p.string(),
    objectVersion: p.integer(),
    data: p.json<Json>(),
    previousAttributes: p.json<Json>().nullable(),
    customerId: p.string().nullable(),
    livemode: p.boolean(),
    organizationId: p.string(),
    pricingModelId: p.string(),
    /** By the clock of its customer, which may be a test clock. */
    occurredAt: instant(),
    /** By the clock of the database. */
    recordedAt: instant().defaultRaw('now()').ignoreSchemaChanges('default'),
    /** The X-Request-Id of the request, or the name of the job. */
    causeId: p.text().nullable(),
    /** The actor; null in events that are older than this column. */
    actorType: p.string().$type<Actor['type']>().nullable(),
    actorId: p.string().nullable(),
    /** The id of the cause; null in events that are older than this column. */
    cause: p.string().nullable(),
  },
});

/** The creation or change of an object: one event for each object and transaction. */
export class Event extends EventSchema.class {}
EventSchema.setClass(Event);
