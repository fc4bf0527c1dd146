import { defineEntity, p } from '@mikro-orm/core';
import { instant, organizationColumn, safeInteger } from '#domain/kernel/columns.ts';
import { UsageMeterBalance } from './usage-meter-balance.ts';

/** A property with more values in an hour of one subscription is left out: its events are read. */
export const mostUsageValues = 100;
/** Longer names and values, in bytes, are left out, too. */
export const longestUsageText = 200;

/** The order of events of a meter that takes the last one, within the function that aggregates them. */
export const lastFirst = 'order by usage_date desc, order_at desc, place desc, id desc';

const amount = () => p.decimal('string').columnType('numeric');

const UsagePartSchema = defineEntity({
  name: 'UsagePart',
  indexes: [
    {
      name: 'usage_part_left_out',
      properties: ['usageMeterId', 'property', 'hour'],
      where: { value: '!' },
    },
  ],
  properties: {
    balance: () => p.manyToOne(UsageMeterBalance).ref().primary().deleteRule('cascade'),
    organizationId: organizationColumn(),
    /** The name of a property; the empty text for all events of the hour. */
    property: p.string().primary(),
    hour: instant().primary(),
    /** The value after an equals sign; empty for events without it; an exclamation mark for too many values. */
    value: p.string().primary(),
    usageMeterId: p.string(),
    /** The sum of the amounts. */
    amount: amount(),
    events: safeInteger(),
    /** The largest amount. */
    largest: amount(),
    /** The amount of the last event, for meters that need it, and its place in the order of events. */
    lastAmount: amount().nullable(),
    lastDate: instant().nullable(),
    lastOrderAt: instant().nullable(),
    lastPlace: p.integer().nullable(),
    lastId: p.string().nullable(),
  },
});

/**
 * The events of an hour with one value of a property, as a job aggregates them after the hour (`keep_usage_parts`).
 * They are valid while the hour is counted.
 */
export class UsagePart extends UsagePartSchema.class {}
UsagePartSchema.setClass(UsagePart);
