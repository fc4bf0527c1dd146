import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, organizationColumn, safeInteger } from '#domain/kernel/columns.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { Pricing } from '#domain/model/catalog/pricing.ts';
import { BillingPeriod } from './billing-period.ts';

const BillingPeriodItemSchema = defineEntity({
  name: 'BillingPeriodItem',
  // The places are unique and fewer than 100, so a period has at most 100 items (`mostItems`).
  uniques: [
    { name: 'billing_period_item_period_unique', properties: ['billingPeriod', 'position'] },
  ],
  checks: checksOf({
    billing_period_item_range: 'unit_price >= 0 and quantity >= 0',
    billing_period_item_most: 'position >= 0 and position < 100',
  }),
  properties: {
    id: p
      .string()
      .primary()
      .onCreate(() => newId('billing_period_item')),
    billingPeriod: () => p.manyToOne(BillingPeriod).ref().deleteRule('cascade'),
    organizationId: organizationColumn(),
    position: p.integer(),
    name: p.string(),
    description: p.text(),
    /** Minor units for a quantity of 1, unless it has another pricing. */
    unitPrice: safeInteger(),
    quantity: safeInteger(),
    /** How the amount of the item is computed; null for a price per unit. */
    pricing: p.json<Pricing>().nullable(),
    priceId: p.string().nullable(),
    /** The item of the subscription that it copies. */
    subscriptionItemId: p.string().nullable(),
  },
});

/** A charged item of one billing period, as agreed when the period began. */
export class BillingPeriodItem extends BillingPeriodItemSchema.class {}
BillingPeriodItemSchema.setClass(BillingPeriodItem);
