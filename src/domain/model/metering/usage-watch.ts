import { defineEntity, p } from '@mikro-orm/core';
import { instant, organizationColumn } from '#domain/kernel/columns.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';

const UsageWatchSchema = defineEntity({
  name: 'UsageWatch',
  indexes: [
    {
      name: 'usage_watch_due',
      properties: ['dueAt', 'subscription'],
      where: { dueAt: { $ne: null } },
    },
    {
      name: 'usage_watch_bill_due',
      properties: ['billDueAt', 'subscription'],
      where: { billDueAt: { $ne: null } },
    },
  ],
  properties: {
    subscription: () => p.manyToOne(Subscription).ref().primary().deleteRule('cascade'),
    organizationId: organizationColumn(),
    /** When values that change with time are compared next; null while none can change. */
    dueAt: instant().nullable(),
    /** When its unbilled usage is billed, since it has reached the amount for that; null while it has not. */
    billDueAt: instant().nullable(),
  },
});

/**
 * The row that recordings of a watched subscription lock, so that those on different meters follow each other. It
 * exists once the subscription has an alert, a top-up, or an amount at which usage is billed.
 */
export class UsageWatch extends UsageWatchSchema.class {}
UsageWatchSchema.setClass(UsageWatch);
