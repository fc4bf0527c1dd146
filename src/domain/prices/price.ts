import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import { Product } from '#domain/products/product.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';

export const priceTypes = ['single_payment', 'subscription', 'usage'] as const;

export const intervalUnits = ['day', 'week', 'month', 'year'] as const;

const PriceSchema = defineEntity({
  name: 'Price',
  uniques: [
    {
      name: 'price_slug_unique',
      properties: ['pricingModelId', 'slug'],
      where: { active: true, slug: { $ne: null } },
    },
    { name: 'price_product_default_unique', properties: ['product'], where: { isDefault: true } },
    {
      name: 'price_usage_meter_default_unique',
      properties: ['usageMeter', 'currency'],
      where: { isDefault: true },
    },
  ],
  indexes: [{ name: 'price_page', properties: ['pricingModelId', 'createdAt', 'position', 'id'] }],
  checks: [
    { name: 'price_unit_price_range', expression: 'unit_price >= 0' },
    { name: 'price_currency', expression: `currency ~ '^[A-Z]{3}$'` },
    { name: 'price_default_active', expression: 'active or not is_default' },
    {
      name: 'price_variant',
      expression: `case type
        when 'usage' then usage_meter_id is not null and product_id is null
          and usage_events_per_unit > 0 and interval_unit is not null and interval_count > 0
          and trial_period_days is null
        when 'subscription' then product_id is not null and interval_unit is not null
          and interval_count > 0 and num_nonnulls(usage_meter_id, usage_events_per_unit) = 0
        else product_id is not null and num_nonnulls(usage_meter_id, usage_events_per_unit,
          interval_unit, interval_count, trial_period_days) = 0 end`,
    },
  ],
  properties: {
    ...tenantColumns('price'),
    type: p.enum(priceTypes),
    name: p.string().nullable(),
    slug: p.string().nullable(),
    /** Minor units of the currency, 0 or more. */
    unitPrice: safeInteger(),
    /** ISO 4217, upper case. A free price fits every currency. */
    currency: p.string().length(3),
    isDefault: p.boolean(),
    active: p.boolean().default(true),
    intervalUnit: p.enum(intervalUnits).nullable(),
    intervalCount: p.integer().nullable(),
    trialPeriodDays: p.integer().nullable(),
    usageEventsPerUnit: safeInteger().nullable(),
    product: () => p.manyToOne(Product).ref().nullable().deleteRule('restrict').index(),
    usageMeter: () => p.manyToOne(UsageMeter).ref().nullable().deleteRule('restrict').index(),
    /** The protected default price that every usage meter has. */
    noCharge: p.boolean().default(false).hidden(),
    /** When it became inactive; null while it is active. */
    retiredAt: instant().nullable().hidden(),
    /** The price that replaced it, if one did. */
    successorId: p.string().nullable().hidden(),
  },
});

/** The price of one unit of a product or of metered usage; its amounts never change. */
export class Price extends PriceSchema.class {
  get productId(): Opt<string> | null {
    return this.product?.id ?? null;
  }

  get usageMeterId(): Opt<string> | null {
    return this.usageMeter?.id ?? null;
  }

  /** Retires the price: new records cannot use it, and existing ones keep it. */
  retire(now: Date, successorId: string | null = null) {
    if (this.active) this.retiredAt = now;
    this.successorId = successorId ?? this.successorId ?? null;
    this.isDefault = false;
    this.active = false;
  }

  /** Makes a retired price active again. */
  revive() {
    this.active = true;
    this.retiredAt = null;
    this.successorId = null;
  }
}
PriceSchema.setClass(Price);

export interface Interval {
  readonly unit: (typeof intervalUnits)[number];
  /** The number of units, 1 or more. */
  readonly count: number;
}
