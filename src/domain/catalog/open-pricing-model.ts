import type { Session } from '#domain/kernel/session.ts';
import { type intervalUnits, Price } from '#domain/model/catalog/price.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { currencyFor } from './currency.ts';
import { freePlan } from './free-plan.ts';

interface NewPricingModel {
  readonly name: string;
  readonly isDefault: boolean;
  /** The interval of the free price; null for a single payment. */
  readonly intervalUnit: (typeof intervalUnits)[number] | null;
}

/** Part of a transaction: creates a pricing model with its free default product and price. */
export async function openPricingModel(
  session: Session,
  { name, isDefault, intervalUnit }: NewPricingModel,
): Promise<PricingModel> {
  const pricingModel = session.em.create(PricingModel, { name, isDefault });
  await session.em.flush();
  await addFreePlan(session, pricingModel.id, intervalUnit);
  return pricingModel;
}

/** The product that every new customer starts on. */
async function addFreePlan(
  session: Session,
  pricingModelId: string,
  intervalUnit: (typeof intervalUnits)[number] | null,
) {
  const { em } = session;
  const currency = await currencyFor(session);
  const { prices, features: _, ...values } = freePlan(currency, intervalUnit);
  const product = em.create(Product, { ...values, default: true, pricingModelId });
  for (const price of prices) em.create(Price, { ...price, pricingModelId, product });
  await em.flush();
}
