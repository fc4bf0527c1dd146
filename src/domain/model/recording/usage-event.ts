import { defineEntity, p } from '@mikro-orm/core';
import { instant, safeInteger } from '#domain/kernel/columns.ts';

export type Properties = Record<string, unknown>;

const UsageEventSchema = defineEntity({
  name: 'UsageEvent',
  // Written by set-based SQL only; a migration defines the table.
  properties: {
    id: p.string().primary(),
    createdAt: instant(),
    updatedAt: instant(),
    livemode: p.boolean(),
    organizationId: p.string(),
    pricingModelId: p.string(),
    customerId: p.string(),
    subscriptionId: p.string(),
    usageMeterId: p.string(),
    /** The price of the usage. */
    priceId: p.string(),
    /** The period that it counts for; null where a subscription has none, or has ended. */
    billingPeriodId: p.string().nullable(),
    /** An exact decimal, above 0. */
    amount: p.decimal('string').columnType('numeric'),
    usageDate: instant(),
    transactionId: p.string(),
    properties: p.json<Properties>().nullable(),
    /** The instant from which it does not count. */
    voidedAt: instant().nullable(),
    voidReason: p.string().nullable(),
    /** The event that replaces it. */
    replacedById: p.string().nullable(),
    /** Whether it was billed by then, so that the next invoice corrects it. */
    voidedAfterBilling: p.boolean().hidden(),
    /** When the first of the events that it replaces was recorded; null where there is none. */
    firstRecordedAt: instant().nullable().hidden(),
    /** Its place among the events of its period, if it replaces another: that of the first one. */
    orderAt: instant().nullable().hidden(),
    orderPlace: p.integer().nullable().hidden(),
    /** Whether its subscription had ended when it was recorded. */
    afterEnd: p.boolean().hidden(),
    /** Its place among the events of one insertion. */
    place: p.integer().hidden(),
    /** Orders the events of one instant as they were written, as in every other table. */
    position: safeInteger().hidden(),
    /** By the clock of the database; months of it are partitions. */
    recordedAt: instant().hidden(),
  },
});

/** One reported amount of a usage meter. */
export class UsageEvent extends UsageEventSchema.class {}
UsageEventSchema.setClass(UsageEvent);

/** The columns that the database fills, or that only later changes of an event fill. */
type Later = 'voidedAfterBilling' | 'orderAt' | 'orderPlace' | 'place' | 'position' | 'recordedAt';

/**
 * A new event on its way into the database, as an object literal: no EntityManager manages it. Its columns are own
 * properties, since assigning them through the ORM's setters would take longer than all other work on the event.
 */
type NewUsageEvent = Omit<UsageEvent, Later> & { readonly __proto__: UsageEvent };

/** The same object as an event. The database gives it the columns that it lacks. */
export const newUsageEvent = (event: NewUsageEvent): UsageEvent => event as unknown as UsageEvent;

const orderOf = (event: string, way: string) =>
  [
    `coalesce(${event}.order_at, ${event}.recorded_at)`,
    `coalesce(${event}.order_place, ${event}.place)`,
    `${event}.id`,
  ]
    .map((column) => `${column}${way}`)
    .join(', ');

/**
 * The order of the events of a period, as SQL: as they were recorded, and replacements at the place of the first one.
 */
export const eventOrder = (event = 'usage_event') => orderOf(event, '');

/** The same, the latest first. */
export const latestEventFirst = (event = 'usage_event') => orderOf(event, ' desc');
