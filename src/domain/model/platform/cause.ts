import { defineEntity, p } from '@mikro-orm/core';
import { instant, positionColumn } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import type { Actor } from '#domain/kernel/session.ts';
import type { Operation } from '#domain/kernel/unit-cause.ts';

const CauseSchema = defineEntity({
  name: 'Cause',
  indexes: [
    pageIndex('cause'),
    { name: 'cause_actor', properties: ['pricingModelId', 'actorId', 'createdAt'] },
    { name: 'cause_request', properties: ['pricingModelId', 'requestId'] },
  ],
  properties: {
    id: p.string().primary(),
    position: positionColumn(),
    /** By the clock of the database. */
    createdAt: instant().defaultRaw('now()').ignoreSchemaChanges('default'),
    livemode: p.boolean(),
    organizationId: p.string(),
    pricingModelId: p.string(),
    actorType: p.string().$type<Actor['type']>(),
    actorId: p.string(),
    requestId: p.string().nullable(),
    cronRunId: p.string().nullable(),
    subjectId: p.string().nullable(),
    operation: p.json<Operation>().nullable(),
    idempotencyKey: p.string().nullable(),
    address: p.string().nullable(),
  },
});

/** One unit of work that changed something: a request, or the work of a job on one row. */
export class Cause extends CauseSchema.class {}
CauseSchema.setClass(Cause);
