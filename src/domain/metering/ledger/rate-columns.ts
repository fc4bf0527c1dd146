import { type PricingFields, pricingOf } from '#domain/model/catalog/pricing.ts';
import type { Rate } from './ledger.ts';

/** The terms of a price of usage as a statement reads them. */
export interface RateRow {
  readonly unitPrice: string;
  readonly perUnit: string;
  /** Null for a price per unit without limits. */
  readonly pricing: PricingFields | null;
}

/** The columns of a rate, of the rows with this name. */
export const rateColumns = (price: string): string =>
  `${price}.unit_price as "unitPrice", ${price}.usage_events_per_unit as "perUnit",
   case when ${price}.model = 'per_unit'
     and num_nonnulls(${price}.free_units, ${price}.minimum_amount, ${price}.maximum_amount) = 0 then null
   else jsonb_build_object('model', ${price}.model, 'tiers', ${price}.tiers, 'packageSize', ${price}.package_size,
     'percentage', ${price}.percentage::text, 'fixedFee', ${price}.fixed_fee, 'freeUnits', ${price}.free_units,
     'minimumAmount', ${price}.minimum_amount, 'maximumAmount', ${price}.maximum_amount, 'matrix', ${price}.matrix)
   end as pricing`;

export const rateOf = ({ unitPrice, perUnit, pricing }: RateRow): Rate => ({
  unitPrice: Number(unitPrice),
  perUnit: Number(perUnit),
  pricing: pricing && pricingOf(pricing),
});
