import { defineEntity, p } from '@mikro-orm/core';
import { safeInteger } from '#domain/kernel/columns.ts';

const EventHeadSchema = defineEntity({
  name: 'EventHead',
  properties: {
    /** The table has one row. */
    id: p.integer().primary(),
    /** The last sequence that was assigned. The process that assigns sequences locks this row. */
    sequence: safeInteger(),
    /** The last sequence whose event has been deleted. */
    purged: safeInteger(),
  },
});

/** The end of the feed, and the start of its stored part. */
export class EventHead extends EventHeadSchema.class {}
EventHeadSchema.setClass(EventHead);
