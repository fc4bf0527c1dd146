import { newId } from '#domain/kernel/ids.ts';
import { Price } from '#domain/prices/price.ts';
import type { Product } from '#domain/products/product.ts';
import type { CatalogPrice } from '#domain/rules/catalog/catalog.ts';
import type { PriceChange } from '#domain/rules/catalog/catalog-plan.ts';
import type { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import type { Written } from './written.ts';

interface Owners {
  readonly products: ReadonlyMap<string, Product>;
  readonly meters: ReadonlyMap<string, UsageMeter>;
}

/**
 * Writes the prices in two steps, since the database allows one default price and one price with a slug at a time:
 * first what ends, then what begins.
 */
export async function writePrices(
  { session: { em, now }, rows }: Written,
  changes: readonly PriceChange[],
  owners: Owners,
) {
  const prices = new Map(rows.prices.map((row) => [row.id, row]));
  const ids = new Map(changes.map((change) => [change, newId('price')]));
  const successors = new Map(
    changes.flatMap((change) =>
      change.replaces ? [[change.replaces, ids.get(change) as string]] : [],
    ),
  );
  for (const { action, stored, fields } of changes) {
    const price = prices.get(stored?.id ?? '');
    if (!price) continue;
    if (action === 'retired') price.retire(now, successors.get(price.id));
    const changed = new Set(fields.map(({ name }) => name));
    if (changed.has('slug')) price.slug = null;
    if (changed.has('isDefault')) price.isDefault = false;
  }
  await em.flush();
  for (const change of changes) {
    const { stored, wanted } = change;
    const price = prices.get(stored?.id ?? '');
    if (price && wanted) Object.assign(price, changesOf(change));
    if (stored || !wanted) continue;
    const owner =
      change.ownerType === 'product'
        ? { product: owners.products.get(change.owner ?? '') as Product }
        : { usageMeter: owners.meters.get(change.owner ?? '') as UsageMeter };
    const values = wanted as CatalogPrice;
    em.create(Price, { id: ids.get(change) as string, ...values, ...owner });
  }
  await em.flush();
}

const changesOf = ({ fields }: PriceChange) =>
  Object.fromEntries(fields.map(({ name, to }) => [name, to]));
