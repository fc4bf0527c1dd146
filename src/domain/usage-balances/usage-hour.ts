import { defineEntity, p } from '@mikro-orm/core';
import { instant, safeInteger } from '#domain/kernel/columns.ts';
import { UsageMeterBalance } from './usage-meter-balance.ts';

const UsageHourSchema = defineEntity({
  name: 'UsageHour',
  properties: {
    balance: () => p.manyToOne(UsageMeterBalance).ref().primary().deleteRule('cascade'),
    /** The beginning of the hour in which it was used, in UTC. */
    hour: instant().primary(),
    /** By how much the usage rose. */
    usage: p.decimal('string').columnType('numeric'),
    events: safeInteger(),
  },
});

/** The usage of an hour, updated in the transaction that records it; the basis of forecasts. */
export class UsageHour extends UsageHourSchema.class {}
UsageHourSchema.setClass(UsageHour);
