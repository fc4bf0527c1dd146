import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';

/** A chain of successors longer than this ends at the product's default price. */
const longestChain = 20;

/** The active price with this slug, else the one that was retired last. */
export async function priceBySlug({ em }: Session, slug: string): Promise<Price | null> {
  const [price] = await em.find(
    Price,
    { slug },
    { orderBy: [{ active: 'desc' }, { retiredAt: 'desc nulls last' }, { id: 'desc' }], limit: 1 },
  );
  return price ?? null;
}

/** Describes for a refusal since when a price is retired and which price replaces it. */
export async function retirementOf(session: Session, price: Price): Promise<string> {
  const since = price.retiredAt ? ` since ${price.retiredAt.toISOString()}` : '';
  const successor = await successorOf(session, price);
  const instead = successor ? `use ${successor.slug ?? successor.id}` : 'use another price';
  return `is retired${since}; ${instead}`;
}

/** The active price that follows a retired one, else the default of the same product or usage meter. */
async function successorOf({ em }: Session, price: Price): Promise<Price | null> {
  let current: Price | null = price;
  for (let step = 0; step < longestChain && current?.successorId; step++) {
    current = await em.findOne(Price, current.successorId);
    if (current?.active) return current;
  }
  const { productId, usageMeterId } = price;
  const owner = productId ? { product: productId } : { usageMeter: usageMeterId };
  return em.findOne(Price, { ...owner, isDefault: true, active: true });
}
