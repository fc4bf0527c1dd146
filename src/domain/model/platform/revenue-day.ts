import { defineEntity, p } from '@mikro-orm/core';
import { organizationColumn, safeInteger } from '#domain/kernel/columns.ts';

const RevenueDaySchema = defineEntity({
  name: 'RevenueDay',
  properties: {
    pricingModelId: p.string().primary(),
    /** ISO 4217, upper case. */
    currency: p.string().length(3).primary(),
    /** In UTC. */
    day: p.date().primary(),
    /** Concurrent writers add to different rows, so they never wait here (`add_revenue`). */
    slot: p.integer().primary(),
    organizationId: organizationColumn(),
    /** The totals of the invoices of this date that are no drafts and not void, in minor units. */
    invoiced: safeInteger(),
    /** The payments that succeeded on this day, in minor units. */
    paid: safeInteger(),
    /** The refunds of this day, in minor units. */
    refunded: safeInteger(),
  },
});

/**
 * The revenue of a pricing model on a day, as the sum over slots. Triggers on invoice and payment update it in the
 * transaction that changes them, so the cost of a chart depends only on its days.
 */
export class RevenueDay extends RevenueDaySchema.class {}
RevenueDaySchema.setClass(RevenueDay);
