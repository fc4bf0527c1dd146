import { defineEntity, p } from '@mikro-orm/core';
import { instant, organizationColumn, safeInteger } from '#domain/kernel/columns.ts';
import { UsageMeterBalance } from './usage-meter-balance.ts';

const UsageHourSchema = defineEntity({
  name: 'UsageHour',
  indexes: [
    {
      name: 'usage_hour_open',
      properties: ['balance', 'hour'],
      where: { counted: false },
    },
  ],
  properties: {
    balance: () => p.manyToOne(UsageMeterBalance).ref().primary().deleteRule('cascade'),
    organizationId: organizationColumn(),
    /** The start of the hour of the usage, in UTC. */
    hour: instant().primary(),
    /** The rise of usage. */
    usage: p.decimal('string').columnType('numeric'),
    events: safeInteger(),
    /** The earliest and the latest creation of its events, where the index of events finds them. */
    firstAt: instant(),
    lastAt: instant(),
    /** The last change by the clock of the database; infinity where events are missing. */
    changedAt: instant(),
    /** Whether the parts of the hour (`UsagePart`) agree with its events. */
    counted: p.boolean().default(false),
  },
});

/** The usage of an hour, updated in the transaction that records it; the basis of forecasts. */
export class UsageHour extends UsageHourSchema.class {}
UsageHourSchema.setClass(UsageHour);
