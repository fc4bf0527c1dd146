import { Product } from '../products/product.ts';
import { enterPricingModel, type Session } from '../session.ts';
import { UsageMeter } from '../usage-meters/usage-meter.ts';
import type { PricingModel } from './pricing-model.ts';

const oldestFirst = { orderBy: { createdAt: 'asc', id: 'asc' } } as const;

/** What the pricing model sells: active products with an active price, oldest first (reference §9.3). */
export function productsOf(session: Session, { id }: PricingModel) {
  const sellable = { active: true, prices: { $some: { active: true } } };
  return enterPricingModel(session, id).em.find(Product, sellable, oldestFirst);
}

/** The pricing model's usage meters, oldest first. */
export function usageMetersOf(session: Session, { id }: PricingModel) {
  return enterPricingModel(session, id).em.find(UsageMeter, {}, oldestFirst);
}

/** The free product that new customers start on. */
export function defaultProductOf(session: Session, { id }: PricingModel) {
  return enterPricingModel(session, id).em.findOne(Product, { default: true });
}
