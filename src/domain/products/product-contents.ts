import type { Feature } from '#domain/features/feature.ts';
import type { Price } from '#domain/prices/price.ts';
import type { Product } from './product.ts';

/** The default price of a product; every product has one. */
export async function defaultPriceOf(product: Product): Promise<Price | null> {
  const prices = await product.prices.loadItems();
  return prices.find(({ isDefault }) => isDefault) ?? null;
}

/** The features that the product grants at this instant. */
export async function featuresOf(product: Product, now: Date): Promise<Feature[]> {
  const grants = await product.productFeatures.loadItems();
  const current = grants.filter((grant) => !grant.isExpired(now));
  return Promise.all(current.map(({ feature }) => feature.loadOrFail()));
}
