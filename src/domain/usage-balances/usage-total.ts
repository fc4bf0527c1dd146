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
    /** The usage of the period, aggregated from its events. */
    usage: p.decimal('string').columnType('numeric'),
    /** The number of counted events. */
    events: safeInteger(),
    /** The latest `usageDate`, and its event, for meters that keep the last value. */
    lastUsageDate: instant().nullable(),
    lastEventId: p.string().nullable(),
  },
});

/** The usage of one billing period at one price, aggregated as the meter defines. */
export class UsageTotal extends UsageTotalSchema.class {}
UsageTotalSchema.setClass(UsageTotal);
