import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { sessionWithin } from './session-within.ts';

/** The session that reads the contents of a pricing model, whose records the caller sees. */
const readerOf = (session: Session, { id, livemode }: PricingModel): Session =>
  sessionWithin(session, { pricingModelId: id, livemode });

/** A list without pages has a bound, which limits the size of one answer. */
const maximum = 1_000;

/** The products that a pricing model sells: active ones with an active price, oldest first. */
export async function productsOf(session: Session, model: PricingModel): Promise<Product[]> {
  const reader = readerOf(session, model);
  const sellable = { active: true, prices: { $some: { active: true } } };
  return reader.em.find(Product, sellable, { orderBy: oldestFirst, limit: maximum });
}

/** The pricing model's usage meters, oldest first. */
export async function usageMetersOf(session: Session, model: PricingModel): Promise<UsageMeter[]> {
  const reader = readerOf(session, model);
  return reader.em.find(UsageMeter, {}, { orderBy: oldestFirst, limit: maximum });
}

/** The free product that new customers start on. */
export async function defaultProductOf(session: Session, model: PricingModel) {
  return readerOf(session, model).em.findOne(Product, { default: true });
}
