import { defineEntity, p } from '@mikro-orm/core';
import { safeInteger } from '#domain/kernel/columns.ts';
import { newId } from '#domain/kernel/ids.ts';
import { BillingPeriod } from './billing-period.ts';

const BillingPeriodItemSchema = defineEntity({
  name: 'BillingPeriodItem',
  indexes: [{ name: 'billing_period_item_period', properties: ['billingPeriod', 'position'] }],
  checks: [
    {
      name: 'billing_period_item_range',
      expression: 'unit_price >= 0 and quantity >= 0',
    },
  ],
  properties: {
    id: p
      .string()
      .primary()
      .onCreate(() => newId('billing_period_item')),
    billingPeriod: () => p.manyToOne(BillingPeriod).ref().deleteRule('cascade'),
    position: p.integer(),
    name: p.string(),
    description: p.text(),
    /** Minor units for a quantity of 1. */
    unitPrice: safeInteger(),
    quantity: safeInteger(),
    priceId: p.string().nullable(),
    /** The item of the subscription that it copies. */
    subscriptionItemId: p.string().nullable(),
  },
});

/** A charged item of one billing period, as agreed when the period began. */
export class BillingPeriodItem extends BillingPeriodItemSchema.class {}
BillingPeriodItemSchema.setClass(BillingPeriodItem);
