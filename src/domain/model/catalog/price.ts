import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import type { PricedTerms } from './exact-part.ts';
import { type PriceMatrix, type PriceTier, priceModels, pricingOf } from './pricing.ts';
import { Product } from './product.ts';
import { UsageMeter } from './usage-meter.ts';

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
  indexes: [pageIndex('price')],
  checks: checksOf({
    price_unit_price_range: 'unit_price >= 0',
    price_currency: `currency ~ '^[A-Z]{3}$'`,
    price_default_active: 'active or not is_default',
    price_variant: `case type
        when 'usage' then usage_meter_id is not null and product_id is null
          and usage_events_per_unit > 0 and interval_unit is not null and interval_count > 0
          and trial_period_days is null
        when 'subscription' then product_id is not null and interval_unit is not null
          and interval_count > 0 and num_nonnulls(usage_meter_id, usage_events_per_unit) = 0
        else product_id is not null and num_nonnulls(usage_meter_id, usage_events_per_unit,
          interval_unit, interval_count, trial_period_days) = 0 end`,
    price_model: `case model
          when 'per_unit' then num_nonnulls(tiers, package_size, percentage, fixed_fee, matrix) = 0
          when 'flat' then num_nonnulls(tiers, package_size, percentage, fixed_fee, matrix) = 0
          when 'package' then package_size is not null and num_nonnulls(tiers, percentage, fixed_fee, matrix) = 0
          when 'percentage' then percentage is not null and type = 'usage' and num_nonnulls(tiers, package_size, matrix) = 0
          when 'matrix' then matrix is not null and type = 'usage'
            and num_nonnulls(tiers, package_size, percentage, fixed_fee, free_units) = 0
          else tiers is not null and num_nonnulls(package_size, percentage, fixed_fee, matrix) = 0 end
        and (type <> 'single_payment' or model = 'per_unit'
          and num_nonnulls(free_units, minimum_amount, maximum_amount) = 0)`,
    price_tiers: `tiers is null or jsonb_typeof(tiers) = 'array' and jsonb_array_length(tiers) <= 100
        and jsonb_path_exists(tiers, '$[last] ? (@.upTo == null)')
        and not jsonb_path_exists(tiers, '$[*] ? (@.flatFee < 0)')`,
    price_limits: `(package_size is null or package_size > 0) and (percentage is null or percentage > 0)
        and (fixed_fee is null or fixed_fee >= 0) and (free_units is null or free_units > 0)
        and (minimum_amount is null or minimum_amount > 0 and unit_price > 0)
        and (maximum_amount is null or maximum_amount > 0)
        and (minimum_amount is null or maximum_amount is null or minimum_amount <= maximum_amount)`,
  }),
  properties: {
    ...tenantColumns('price'),
    type: p.enum(priceTypes),
    name: p.string().nullable(),
    slug: p.string().nullable(),
    /**
     * Minor units of the currency, 0 or more. Where other fields state the prices, it is the most that one unit can
     * cost, rounded up. It is 0 only for a price that never costs anything.
     */
    unitPrice: safeInteger(),
    model: p.enum(priceModels).default('per_unit'),
    /** The last one has no end. */
    tiers: p.json<PriceTier[]>().nullable(),
    packageSize: safeInteger().nullable(),
    percentage: p.decimal('string').columnType('numeric').nullable(),
    fixedFee: safeInteger().nullable(),
    freeUnits: safeInteger().nullable(),
    minimumAmount: safeInteger().nullable(),
    maximumAmount: safeInteger().nullable(),
    matrix: p.json<PriceMatrix>().nullable(),
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

/** The price of a product or of metered usage; its amounts never change. */
export class Price extends PriceSchema.class {
  get productId(): Opt<string> | null {
    return this.product?.id ?? null;
  }

  get usageMeterId(): Opt<string> | null {
    return this.usageMeter?.id ?? null;
  }

  /** The terms from which its charges are computed. */
  get terms(): Opt<Required<PricedTerms>> {
    const { unitPrice, usageEventsPerUnit } = this;
    return { unitPrice, perUnit: usageEventsPerUnit ?? 1, pricing: pricingOf(this) };
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
