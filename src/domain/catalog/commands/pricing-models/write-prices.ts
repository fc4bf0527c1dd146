import type { CatalogPrice } from '#domain/catalog/catalog.ts';
import type { PriceChange } from '#domain/catalog/catalog-plan.ts';
import { newId } from '#domain/kernel/ids.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { inBatches, type Written } from './written.ts';

/**
 * Writes the prices in two steps, since the database allows one default price and one price with a slug at a time:
 * first what ends, then what begins.
 */
export async function writePrices(
  { session, ids }: Written,
  changes: readonly PriceChange[],
): Promise<void> {
  const priceIds = new Map(changes.map((change) => [change, newId('price')]));
  const successors = new Map(
    changes.flatMap((change) =>
      change.replaces ? [[change.replaces, priceIds.get(change) as string]] : [],
    ),
  );
  const present = changes.filter(({ stored }) => stored);
  await inBatches(session, Price, present, (_em, { action, fields }, price) => {
    if (!price) return undefined;
    if (action === 'retired') price.retire(session.now, successors.get(price.id));
    const changed = new Set(fields.map(({ name }) => name));
    if (changed.has('slug')) price.slug = null;
    if (changed.has('isDefault')) price.isDefault = false;
    return undefined;
  });
  const lasting = changes.filter(({ wanted }) => wanted);
  await inBatches(session, Price, lasting, (em, change, price) => {
    if (price) {
      Object.assign(price, changesOf(change));
      return undefined;
    }
    const owner = change.owner ?? '';
    const place =
      change.ownerType === 'product'
        ? { product: ids.products.get(owner) as string }
        : { usageMeter: ids.meters.get(owner) as string };
    const values = change.wanted as CatalogPrice;
    return em.create(Price, { id: priceIds.get(change) as string, ...values, ...place });
  });
}

const changesOf = ({ fields }: PriceChange) =>
  Object.fromEntries(fields.map(({ name, to }) => [name, to]));
