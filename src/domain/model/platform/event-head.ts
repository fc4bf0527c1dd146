import { defineEntity, p } from '@mikro-orm/core';
import { safeInteger } from '#domain/kernel/columns.ts';

const EventHeadSchema = defineEntity({
  name: 'EventHead',
  properties: {
    organizationId: p.string().primary(),
    livemode: p.boolean().primary(),
    /** The last sequence that was assigned. The process that assigns sequences locks this row. */
    sequence: safeInteger(),
    /** The last sequence whose event has been deleted. */
    purged: safeInteger(),
  },
});

/** The end of the feed of an organization in one mode, and the start of its stored part. None before its first event. */
export class EventHead extends EventHeadSchema.class {}
EventHeadSchema.setClass(EventHead);
