import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Product } from '#domain/products/product.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import type { PricingModel } from './pricing-model.ts';
import { showsContents, within } from './shown-contents.ts';

/**
 * The session that reads the contents of a pricing model. A key sees the records of other pricing models, but not their
 * contents, unless its own command has written them.
 */
const readerOf = (session: Session, model: PricingModel): Session | null =>
  showsContents(session, model)
    ? within(session, { pricingModelId: model.id, livemode: model.livemode })
    : null;

/** A list without pages has a bound, which limits the size of one answer. */
const maximum = 1_000;

/** The products that a pricing model sells: active ones with an active price, oldest first. */
export async function productsOf(session: Session, model: PricingModel): Promise<Product[]> {
  const reader = readerOf(session, model);
  if (!reader) return [];
  const sellable = { active: true, prices: { $some: { active: true } } };
  return reader.em.find(Product, sellable, { orderBy: oldestFirst, limit: maximum });
}

/** The pricing model's usage meters, oldest first. */
export async function usageMetersOf(session: Session, model: PricingModel): Promise<UsageMeter[]> {
  const reader = readerOf(session, model);
  if (!reader) return [];
  return reader.em.find(UsageMeter, {}, { orderBy: oldestFirst, limit: maximum });
}

/** The free product that new customers start on. */
export async function defaultProductOf(session: Session, model: PricingModel) {
  const reader = readerOf(session, model);
  return reader ? reader.em.findOne(Product, { default: true }) : null;
}
