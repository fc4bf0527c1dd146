import { DomainError } from '#domain/kernel/errors.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';
import type { Product } from '#domain/model/catalog/product.ts';
import { type PriceFields, termsOf } from './price-fields.ts';

/**
 * Sets a new default price of a locked product. `predecessors` are retired; a former default that is not among them is
 * sold next to the new one.
 */
export async function succeedPrices(
  session: Session,
  product: Product,
  price: PriceFields,
  currency: string,
  predecessors: readonly Price[],
) {
  const { em, now } = session;
  const id = newId('price');
  for (const predecessor of predecessors) {
    // A price that was retired before keeps its successor.
    if (predecessor.active) predecessor.retire(now, id);
  }
  // The old default is unset before the new one is set, since the database allows one at a time.
  await em.flush();
  return em.create(Price, {
    id,
    ...termsOf(price),
    name: price.name ?? null,
    slug: price.slug ?? null,
    currency,
    product,
    isDefault: true,
    active: true,
  });
}

export function refuseOtherType(product: Product, prices: readonly Price[], { type }: PriceFields) {
  const other = prices.find((price) => price.type !== type);
  if (!other) return;
  throw new DomainError(
    'FORBIDDEN',
    `The prices of ${product.id} are of type ${other.type}; create another product for ${type} prices`,
    { reason: 'FORBIDDEN' },
  );
}
