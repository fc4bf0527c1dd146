import { defineEntity, p } from '@mikro-orm/core';
import { organizationColumn, safeInteger } from '#domain/kernel/columns.ts';

const StatisticDaySchema = defineEntity({
  name: 'StatisticDay',
  properties: {
    pricingModelId: p.string().primary(),
    /** `mrr_` with the kind of a movement, or `status_` with a status. */
    series: p.string().primary(),
    /** The empty text for all products together. */
    productId: p.string().primary(),
    /** In UTC. */
    day: p.date().primary(),
    /** ISO 4217, upper case; the empty text for statuses. */
    currency: p.string().length(3).primary(),
    /** Concurrent writers add to different rows, so they never wait here (`add_statistic`). */
    slot: p.integer().primary(),
    organizationId: organizationColumn(),
    /** The number of movements, or the rise of the number of subscriptions. */
    count: safeInteger(),
    /** The sum of the movements, in minor units for a month. */
    amount: p.decimal('string').columnType('numeric'),
  },
});

/**
 * A series of a pricing model on a day, as the sum over slots. Triggers on movements and changes of status update it in
 * their transaction, so the cost of a chart depends only on its days.
 */
export class StatisticDay extends StatisticDaySchema.class {}
StatisticDaySchema.setClass(StatisticDay);
