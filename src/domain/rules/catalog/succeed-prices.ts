import { DomainError } from '#domain/kernel/errors.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/prices/price.ts';
import type { Product } from '#domain/products/product.ts';
import { currencyFor } from './currency.ts';
import { type PriceFields, termsOf } from './price-fields.ts';

/** Gives a locked product a new default price; `predecessors`, its default among them, are retired. */
export async function succeedPrices(
  session: Session,
  product: Product,
  price: PriceFields,
  predecessors: readonly Price[],
) {
  const { em, now } = session;
  refuseOtherType(product, predecessors, price);
  const id = newId('price');
  for (const predecessor of predecessors) {
    // A price that had been retired before keeps the successor that it got then.
    if (predecessor.active) predecessor.retire(now, id);
  }
  // The old default leaves before the new one arrives, since the database allows one at a time.
  await em.flush();
  return em.create(Price, {
    id,
    ...termsOf(price),
    name: price.name ?? null,
    slug: price.slug ?? null,
    currency: await currencyFor(session, price.currency),
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
  );
}
