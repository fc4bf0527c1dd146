import type { Feature } from '#domain/features/feature.ts';
import { ProductFeature } from '#domain/product-features/product-feature.ts';
import { Product } from '#domain/products/product.ts';
import type { GrantChange, ProductChange } from '#domain/rules/catalog/catalog-plan.ts';
import type { Written } from './written.ts';

/** Writes the products. The database allows one default, so the former one is unset first. */
export async function writeProducts(
  { session: { em }, rows }: Written,
  changes: readonly ProductChange[],
): Promise<Map<string, Product>> {
  const products = new Map(rows.products.map((row) => [row.slug, row]));
  for (const { stored, wanted } of changes) {
    if (stored?.default && !wanted?.default) {
      (products.get(stored.slug) as Product).default = false;
    }
  }
  await em.flush();
  for (const { stored, wanted } of changes) {
    const row = stored && products.get(stored.slug);
    if (row && !wanted) row.active = false;
    if (!wanted) continue;
    const { prices: _, features: __, ...values } = wanted;
    if (row) Object.assign(row, values);
    else products.set(wanted.slug, em.create(Product, values));
  }
  return products;
}

/** Writes the grants and returns those that have ended. */
export function writeGrants(
  { session: { em, now }, rows }: Written,
  changes: readonly GrantChange[],
  { products, features }: { products: Map<string, Product>; features: Map<string, Feature> },
): ProductFeature[] {
  const grants = new Map(rows.grants.map((row) => [row.id, row]));
  const ended: ProductFeature[] = [];
  for (const { action, stored, wanted, owner } of changes) {
    const row = grants.get(stored?.id ?? '');
    if (row && action === 'retired') {
      row.expire(now);
      ended.push(row);
    } else if (row) row.renew();
    else {
      const product = products.get(owner ?? '') as Product;
      const feature = features.get(wanted?.slug ?? '') as Feature;
      em.create(ProductFeature, { product, feature });
    }
  }
  return ended;
}
