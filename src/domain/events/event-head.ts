import { defineEntity, p } from '@mikro-orm/core';
import { safeInteger } from '#domain/kernel/columns.ts';

const EventHeadSchema = defineEntity({
  name: 'EventHead',
  properties: {
    /** There is one row. */
    id: p.integer().primary(),
    /** The last number that was given. Whoever gives numbers holds this row. */
    sequence: safeInteger(),
    /** The last number whose event has been deleted. */
    purged: safeInteger(),
  },
});

/** Where the feed ends, and where what is kept of it begins. */
export class EventHead extends EventHeadSchema.class {}
EventHeadSchema.setClass(EventHead);
