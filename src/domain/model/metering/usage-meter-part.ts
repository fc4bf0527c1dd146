import { defineEntity, p } from '@mikro-orm/core';
import { instant, organizationColumn, safeInteger } from '#domain/kernel/columns.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';

const UsageMeterPartSchema = defineEntity({
  name: 'UsageMeterPart',
  properties: {
    usageMeter: () => p.manyToOne(UsageMeter).ref().primary().deleteRule('cascade'),
    organizationId: organizationColumn(),
    property: p.string().primary(),
    hour: instant().primary(),
    value: p.string().primary(),
    amount: p.decimal('string').columnType('numeric'),
    events: safeInteger(),
  },
});

/** The sum of the parts of all subscriptions of a meter. A trigger on the parts adds and subtracts them. */
export class UsageMeterPart extends UsageMeterPartSchema.class {}
UsageMeterPartSchema.setClass(UsageMeterPart);
