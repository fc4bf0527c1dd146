import { type EntityClass, type FilterQuery, LockMode } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { Feature } from '#domain/model/catalog/feature.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import type { StoredCatalog, StoredMeter, StoredPrice } from './catalog.ts';
import { featureValues, productTexts } from './catalog-values.ts';
import { defaultCurrency } from './currency.ts';
import { termsOf } from './price-fields.ts';

/** The rows of a pricing model's catalog; of its prices only the active ones. */
export interface CatalogRows {
  readonly model: PricingModel;
  readonly currency: string;
  readonly products: readonly Product[];
  readonly meters: readonly UsageMeter[];
  readonly prices: readonly Price[];
  readonly features: readonly Feature[];
  readonly resources: readonly Resource[];
  readonly grants: readonly ProductFeature[];
  /** The ids of the usage meters with recorded usage. */
  readonly used: ReadonlySet<string>;
}

type CatalogLock = LockMode.NONE | LockMode.PESSIMISTIC_READ | LockMode.PESSIMISTIC_WRITE;

/** How many rows one statement reads: more would keep the process from other requests. */
const pageSize = 500;

/**
 * Reads the catalog of the session's pricing model. The rows are isolated: a change of them is not written. With a lock
 * no command changes the catalog until the end of the transaction; the order of the locks is that of all commands:
 * products, usage meters, prices, features, resources.
 */
export async function readRows(
  session: Session,
  lockMode: CatalogLock = LockMode.NONE,
): Promise<CatalogRows> {
  const { em, pricingModelId } = session;
  const model = await em.findOneOrFail(PricingModel, pricingModelId, { lockMode, refresh: true });
  const products = await allRows(session, Product, lockMode);
  const meters = await allRows(session, UsageMeter, lockMode);
  const prices = await allRows(session, Price, lockMode, { active: true });
  const features = await allRows(session, Feature, lockMode);
  const resources = await allRows(session, Resource, lockMode);
  const grants = await allRows(session, ProductFeature, lockMode);
  const used = await em.execute<{ id: string }[]>(
    'select id from usage_meter m where pricing_model_id = ? and exists (select from usage_meter_balance b where b.usage_meter_id = m.id)',
    [pricingModelId],
  );
  const currency = await defaultCurrency(session);
  const ids = new Set(used.map(({ id }) => id));
  return { model, currency, products, meters, prices, features, resources, grants, used: ids };
}

/** All rows of an entity that satisfy a condition, in the order of their ids and page by page. */
async function allRows<T extends { id: string }>(
  { em }: Session,
  entity: EntityClass<T>,
  lockMode: CatalogLock,
  condition: FilterQuery<T> = {},
): Promise<T[]> {
  const rows: T[] = [];
  for (let last = ''; ; ) {
    const where = { $and: [condition, { id: { $gt: last } }] } as FilterQuery<T>;
    const orderBy = { id: 'asc' };
    const options = { orderBy, limit: pageSize, lockMode, disableIdentityMap: true } as const;
    const page = await em.find(entity, where, options);
    rows.push(...page);
    if (page.length < pageSize) return rows;
    last = page.at(-1)?.id ?? '';
  }
}

/** The rows as values, with slugs in place of ids. */
export function catalogOf(rows: CatalogRows, now: Date): StoredCatalog {
  const { model, products, meters, features, resources } = rows;
  const meterSlugs = new Map(meters.map(({ id, slug }) => [id, slug]));
  const resourceSlugs = new Map(resources.map(({ id, slug }) => [id, slug]));
  const featureSlugs = new Map(features.map(({ id, slug }) => [id, slug]));
  const ofProduct = Map.groupBy(rows.prices, ({ productId }) => productId);
  const ofMeter = Map.groupBy(rows.prices, ({ usageMeterId }) => usageMeterId);
  const grants = Map.groupBy(rows.grants, ({ productId }) => productId);
  return {
    id: model.id,
    name: model.name,
    currency: rows.currency,
    isDefault: model.isDefault,
    resources: resources.map(({ id, slug, name, active }) => ({ id, slug, name, active })),
    usageMeters: meters.map((meter) => meterOf(meter, ofMeter.get(meter.id) ?? [], rows.used)),
    features: features.map((feature) => ({
      id: feature.id,
      ...featureValues(feature, {
        usageMeterSlug: meterSlugs.get(feature.usageMeterId ?? ''),
        resourceSlug: resourceSlugs.get(feature.resourceId ?? ''),
      }),
    })),
    products: products.map((product) => ({
      id: product.id,
      ...productTexts(product),
      active: product.active,
      default: product.default,
      prices: (ofProduct.get(product.id) ?? []).map(priceOf),
      grants: (grants.get(product.id) ?? []).map((grant) => ({
        id: grant.id,
        slug: featureSlugs.get(grant.featureId) ?? '',
        isExpired: grant.isExpired(now),
      })),
    })),
  };
}

function meterOf(
  { id, slug, name, aggregationType, taxCode }: UsageMeter,
  prices: readonly Price[],
  used: ReadonlySet<string>,
): StoredMeter {
  const fallback = prices.find(({ noCharge }) => noCharge);
  if (!fallback) throw new Error(`${id} has no fallback price`);
  return {
    id,
    slug,
    name,
    aggregationType,
    taxCode: taxCode ?? null,
    prices: prices.filter((price) => price !== fallback).map(priceOf),
    fallback: {
      id: fallback.id,
      slug: fallback.slug ?? '',
      currency: fallback.currency,
      isDefault: fallback.isDefault,
    },
    isUsed: used.has(id),
  };
}

const priceOf = (price: Price): StoredPrice => ({
  id: price.id,
  slug: price.slug ?? null,
  name: price.name ?? null,
  isDefault: price.isDefault,
  ...termsOf(price),
  // A trial of 0 days is no trial.
  trialPeriodDays: price.trialPeriodDays || null,
  currency: price.currency,
});
