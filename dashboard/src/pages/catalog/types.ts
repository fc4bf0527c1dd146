import type { OnePricingModelQuery } from './catalog.generated.ts';

/** A pricing model with its products and usage meters. */
export type Model = NonNullable<OnePricingModelQuery['pricingModel']>;
export type Product = Model['productsPage']['nodes'][number];
export type Meter = Model['usageMetersPage']['nodes'][number];
export type Price = Product['pricesPage']['nodes'][number];
export type Feature = OnePricingModelQuery['features']['nodes'][number];
export type Resource = OnePricingModelQuery['resources']['nodes'][number];
export type Discount = OnePricingModelQuery['discounts']['nodes'][number];

/** The parts of a pricing model that its products and prices refer to. */
export interface Parts {
  readonly features: readonly Feature[];
  readonly meters: readonly Meter[];
  readonly resources: readonly Resource[];
}
