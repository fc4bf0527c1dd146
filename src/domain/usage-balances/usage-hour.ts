import { defineEntity, p } from '@mikro-orm/core';
import { instant, safeInteger } from '#domain/kernel/columns.ts';
import { UsageMeterBalance } from './usage-meter-balance.ts';

const UsageHourSchema = defineEntity({
  name: 'UsageHour',
  properties: {
    balance: () => p.manyToOne(UsageMeterBalance).ref().primary().deleteRule('cascade'),
    /** The start of the hour of the usage, in UTC. */
    hour: instant().primary(),
    /** The rise of usage. */
    usage: p.decimal('string').columnType('numeric'),
    events: safeInteger(),
  },
});

/** The usage of an hour, updated in the transaction that records it; the basis of forecasts. */
export class UsageHour extends UsageHourSchema.class {}
UsageHourSchema.setClass(UsageHour);
