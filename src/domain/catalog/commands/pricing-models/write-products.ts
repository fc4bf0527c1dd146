import type { GrantChange, ProductChange } from '#domain/catalog/catalog-plan.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { inBatches, type Written } from './written.ts';

/** Writes the products. The database allows one default, so the former one is unset first. */
export async function writeProducts(
  { session, ids }: Written,
  changes: readonly ProductChange[],
): Promise<void> {
  const former = changes.filter(({ stored, wanted }) => stored?.default && !wanted?.default);
  await inBatches(session, Product, former, (_em, _change, row) => {
    if (row) row.default = false;
    return undefined;
  });
  const created = await inBatches(session, Product, changes, (em, { wanted }, row) => {
    if (!wanted) {
      if (row) row.active = false;
      return undefined;
    }
    const { prices: _, features: __, ...values } = wanted;
    if (!row) return em.create(Product, values);
    Object.assign(row, values);
    return undefined;
  });
  for (const { slug, id } of created) ids.products.set(slug, id);
}

/** Writes the grants and returns the ids of those that have ended. */
export async function writeGrants(
  { session, ids }: Written,
  changes: readonly GrantChange[],
): Promise<string[]> {
  await inBatches(session, ProductFeature, changes, (em, { action, wanted, owner }, row) => {
    if (row && action === 'retired') row.expire(session.now);
    else if (row) row.renew();
    else {
      const product = ids.products.get(owner ?? '') as string;
      const feature = ids.features.get(wanted?.slug ?? '') as string;
      return em.create(ProductFeature, { product, feature });
    }
    return undefined;
  });
  return changes.flatMap(({ action, stored }) =>
    action === 'retired' && stored ? [stored.id] : [],
  );
}
