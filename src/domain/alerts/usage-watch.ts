import { defineEntity, p } from '@mikro-orm/core';
import { instant, organizationColumn } from '#domain/kernel/columns.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';

const UsageWatchSchema = defineEntity({
  name: 'UsageWatch',
  indexes: [
    {
      name: 'usage_watch_due',
      properties: ['dueAt', 'subscription'],
      where: { dueAt: { $ne: null } },
    },
  ],
  properties: {
    subscription: () => p.manyToOne(Subscription).ref().primary().deleteRule('cascade'),
    organizationId: organizationColumn(),
    /** When values that change with time are compared next; null while none can change. */
    dueAt: instant().nullable(),
  },
});

/**
 * The row that recordings of a watched subscription lock, so that those on different meters follow each other. It
 * exists once the subscription has an alert.
 */
export class UsageWatch extends UsageWatchSchema.class {}
UsageWatchSchema.setClass(UsageWatch);
