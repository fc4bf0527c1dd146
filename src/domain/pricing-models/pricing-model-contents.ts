import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Product } from '#domain/products/product.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import type { PricingModel } from './pricing-model.ts';

/** A key sees the records of other pricing models, but not their contents. */
const isOwn = (session: Session, { id }: PricingModel) => id === session.pricingModelId;

/** A list without pages has a bound, which limits the size of one answer. */
const maximum = 1_000;

/** The products that a pricing model sells: active ones with an active price, oldest first. */
export async function productsOf(session: Session, model: PricingModel): Promise<Product[]> {
  if (!isOwn(session, model)) return [];
  const sellable = { active: true, prices: { $some: { active: true } } };
  return session.em.find(Product, sellable, { orderBy: oldestFirst, limit: maximum });
}

/** The pricing model's usage meters, oldest first. */
export async function usageMetersOf(session: Session, model: PricingModel): Promise<UsageMeter[]> {
  if (!isOwn(session, model)) return [];
  return session.em.find(UsageMeter, {}, { orderBy: oldestFirst, limit: maximum });
}

/** The free product that new customers start on. */
export async function defaultProductOf(session: Session, model: PricingModel) {
  return isOwn(session, model) ? session.em.findOne(Product, { default: true }) : null;
}
