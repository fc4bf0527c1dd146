import type { Catalog, CatalogPrice, CatalogProduct } from './catalog.ts';
import type { CatalogDocument, PriceDocument, ProductDocument } from './catalog-document.ts';
import { featureValues, productTexts } from './catalog-values.ts';
import { termsOf } from './price-fields.ts';

/** A checked document with every field set, in its order. `currency` is that of prices which name none. */
export const completed = (document: CatalogDocument, currency: string): Catalog => ({
  name: document.name,
  isDefault: document.isDefault ?? null,
  resources: document.resources.map(({ slug, name, active }) => ({
    slug,
    name,
    active: active ?? true,
  })),
  usageMeters: document.usageMeters.map(({ usageMeter, prices }) => ({
    slug: usageMeter.slug,
    name: usageMeter.name,
    aggregationType: usageMeter.aggregationType ?? 'sum',
    taxCode: usageMeter.taxCode ?? null,
    // An inactive price is one that is not sold.
    prices: (prices ?? [])
      .filter(({ active }) => active !== false)
      .map((price) => priceOf(price, price.isDefault ?? false, currency)),
  })),
  features: document.features.map((feature) => featureValues(feature, feature)),
  products: document.products.map((entry) => productOf(entry, currency)),
});

const productOf = (
  { product, price, otherPrices, features }: ProductDocument,
  currency: string,
): CatalogProduct => ({
  ...productTexts(product),
  active: product.active ?? true,
  default: product.default ?? null,
  prices: [
    priceOf(price, true, currency),
    ...(otherPrices ?? []).map((other) => priceOf(other, false, currency)),
  ],
  features: [...new Set(features)],
});

const priceOf = (price: PriceDocument, isDefault: boolean, currency: string): CatalogPrice => ({
  slug: price.slug ?? null,
  name: price.name ?? null,
  isDefault,
  ...termsOf(price),
  // A trial of 0 days is no trial.
  trialPeriodDays: price.trialPeriodDays || null,
  currency: price.currency ?? currency,
});
