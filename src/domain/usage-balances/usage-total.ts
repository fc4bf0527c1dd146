import { defineEntity, p } from '@mikro-orm/core';
import { instant, safeInteger } from '#domain/kernel/columns.ts';
import { UsageMeterBalance } from './usage-meter-balance.ts';

const UsageTotalSchema = defineEntity({
  name: 'UsageTotal',
  properties: {
    balance: () => p.manyToOne(UsageMeterBalance).ref().primary().deleteRule('cascade'),
    /** The empty text where a subscription has no periods, `ended` for usage after its end. */
    billingPeriodId: p.string().primary(),
    priceId: p.string().primary(),
    /** The events of the period as the one number that the meter makes of them. */
    usage: p.decimal('string').columnType('numeric'),
    /** How many events count. */
    events: safeInteger(),
    /** The latest `usageDate`, and the event that it is of, for meters that keep the last value. */
    lastUsageDate: instant().nullable(),
    lastEventId: p.string().nullable(),
  },
});

/** The usage of one billing period at one price, aggregated as the meter defines. */
export class UsageTotal extends UsageTotalSchema.class {}
UsageTotalSchema.setClass(UsageTotal);
