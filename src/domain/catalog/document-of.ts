import type {
  CatalogFeature,
  CatalogMeter,
  CatalogPrice,
  StoredCatalog,
  StoredProduct,
} from './catalog.ts';

/**
 * The document of a pricing model. It has the active objects in the order of their slugs, so that equal catalogs have
 * equal documents. It has an inactive resource while an active feature grants it, and an inactive product while its
 * price is active.
 */
export function documentOf(catalog: StoredCatalog) {
  const features = catalog.features.filter(({ active }) => active).toSorted(bySlug);
  const granted = new Set(features.map(({ resourceSlug }) => resourceSlug));
  return {
    name: catalog.name,
    isDefault: catalog.isDefault,
    features: features.map(featureDocument),
    products: catalog.products.filter(isPriced).toSorted(bySlug).map(productDocument),
    usageMeters: catalog.usageMeters.toSorted(bySlug).map(meterDocument),
    resources: catalog.resources
      .filter(({ slug, active }) => active || granted.has(slug))
      .toSorted(bySlug)
      .map(({ slug, name, active }) => ({ slug, name, active })),
  };
}

export type WrittenDocument = ReturnType<typeof documentOf>;

/** Whether a product is part of its catalog: retiring one retires its prices. */
const isPriced = ({ prices }: Pick<StoredProduct, 'prices'>) =>
  prices.some(({ isDefault }) => isDefault);

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
const bySlug = (one: { slug: string }, other: { slug: string }) => compare(one.slug, other.slug);

/** Prices with a slug first; the others, which differ in their terms if at all, by those. */
const byText = (one: CatalogPrice, other: CatalogPrice) => compare(sortKey(one), sortKey(other));

const sortKey = (price: CatalogPrice) =>
  price.slug === null ? `1${JSON.stringify(priceDocument(price))}` : `0${price.slug}`;

const featureDocument = (feature: CatalogFeature) => ({
  type: feature.type,
  slug: feature.slug,
  name: feature.name,
  description: feature.description,
  ...present({
    amount: feature.amount,
    renewalFrequency: feature.renewalFrequency,
    per: feature.per === 'item' ? null : feature.per,
    rollover: feature.rollover && present(feature.rollover),
    usageMeterSlug: feature.usageMeterSlug,
    resourceSlug: feature.resourceSlug,
  }),
  active: feature.active,
});

function productDocument(product: StoredProduct) {
  const { slug, name, active, prices, grants } = product;
  const { description, imageURL, singularQuantityLabel, pluralQuantityLabel, taxCode } = product;
  const [price] = prices.filter(({ isDefault }) => isDefault);
  const others = prices.filter((other) => other !== price).toSorted(byText);
  return {
    product: {
      slug,
      name,
      ...present({ description, imageURL, singularQuantityLabel, pluralQuantityLabel, taxCode }),
      ...(product.addOn && { addOn: true }),
      active,
      default: product.default,
    },
    price: priceDocument(price as CatalogPrice),
    ...(others.length > 0 && { otherPrices: others.map(priceDocument) }),
    features: grants
      .filter(({ isExpired }) => !isExpired)
      .map(({ slug }) => slug)
      .toSorted(compare),
  };
}

const meterDocument = ({ slug, name, aggregationType, taxCode, prices }: CatalogMeter) => ({
  usageMeter: { slug, name, aggregationType, ...present({ taxCode }) },
  prices: prices.toSorted(byText).map(priceDocument),
});

/** A price, with those fields as null that its type lacks and the published interface requires. */
const priceDocument = (price: CatalogPrice) => ({
  type: price.type,
  ...present({ slug: price.slug, name: price.name }),
  isDefault: price.isDefault,
  active: true,
  unitPrice: price.unitPrice,
  ...(price.model !== 'per_unit' && { model: price.model }),
  ...present({
    tiers: price.tiers,
    packageSize: price.packageSize,
    percentage: price.percentage,
    fixedFee: price.fixedFee,
    freeUnits: price.freeUnits,
    minimumAmount: price.minimumAmount,
    maximumAmount: price.maximumAmount,
    matrix: price.matrix,
  }),
  currency: price.currency,
  ...(price.type === 'single_payment'
    ? {}
    : {
        intervalUnit: price.intervalUnit,
        intervalCount: price.intervalCount,
        trialPeriodDays: price.trialPeriodDays,
        usageEventsPerUnit: price.usageEventsPerUnit,
      }),
  ...(price.type === 'subscription' && { usageMeterId: null }),
});

const present = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
