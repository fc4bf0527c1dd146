import type { EntityManager } from '@mikro-orm/postgresql';
import { Price } from '#domain/model/catalog/price.ts';

/** The prices that are here, by their slugs. Of several with one slug it is the one that subscriptions get by it. */
export async function pricesHere(em: EntityManager): Promise<ReadonlyMap<string, Price>> {
  const prices = await em.find(
    Price,
    { slug: { $ne: null } },
    {
      populate: ['product', 'usageMeter'],
      orderBy: [{ active: 'asc' }, { retiredAt: 'asc nulls first' }, { id: 'asc' }],
    },
  );
  // The last one of a slug stays.
  return new Map(prices.map((price) => [price.slug ?? '', price]));
}
