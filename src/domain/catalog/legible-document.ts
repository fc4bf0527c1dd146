import type {
  CatalogStructure,
  FeatureDocument,
  MeterDocument,
  PriceDocument,
  ProductDocument,
} from './catalog-document.ts';

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** A slug that is missing or wrong, which equals no other one. */
const noSlug = (at: string) => `\0${at}`;
const slugOf = (value: unknown, at: string) => textOf(value) ?? noSlug(at);

/**
 * The slugs, references and defaults of a document, each at its place, also where other fields are wrong or missing. So
 * they are checked together with the fields.
 */
export function legible(document: unknown): CatalogStructure {
  const { features, products, usageMeters, resources } = fieldsOf(document);
  return {
    features: listOf(features).map((entry, at) => {
      const feature = fieldsOf(entry);
      const { usageMeterSlug, resourceSlug, active } = feature;
      return {
        slug: slugOf(feature.slug, `features.${at}`),
        usageMeterSlug: textOf(usageMeterSlug),
        resourceSlug: textOf(resourceSlug),
        active: active !== false,
      } as FeatureDocument;
    }),
    products: listOf(products).map((entry, at) => {
      const { product, price, otherPrices, features: slugs } = fieldsOf(entry);
      const { slug, default: isDefault, active } = fieldsOf(product);
      return {
        product: {
          slug: slugOf(slug, `products.${at}`),
          default: isDefault === true,
          active: active !== false,
        },
        price: priceOf(price),
        otherPrices: listOf(otherPrices).map(priceOf),
        features: listOf(slugs),
      } as ProductDocument;
    }),
    usageMeters: listOf(usageMeters).map((entry, at) => {
      const { usageMeter, prices } = fieldsOf(entry);
      return {
        usageMeter: { slug: slugOf(fieldsOf(usageMeter).slug, `usageMeters.${at}`) },
        prices: listOf(prices).map(priceOf),
      } as MeterDocument;
    }),
    resources: listOf(resources).map((entry, at) => ({
      slug: slugOf(fieldsOf(entry).slug, `resources.${at}`),
      name: '',
    })),
  };
}

/** A price whose type is wrong has that problem alone. */
function priceOf(value: unknown): PriceDocument {
  const price = fieldsOf(value);
  const { slug, unitPrice, trialPeriodDays, active, isDefault } = price;
  return {
    type: price.type,
    slug: textOf(slug),
    unitPrice: typeof unitPrice === 'number' ? unitPrice : undefined,
    trialPeriodDays: typeof trialPeriodDays === 'number' ? trialPeriodDays : undefined,
    active: typeof active === 'boolean' ? active : undefined,
    isDefault: typeof isDefault === 'boolean' ? isDefault : undefined,
  } as PriceDocument;
}
