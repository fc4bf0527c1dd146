import { z } from 'zod';
import { currencyFor } from '#domain/catalog/currency.ts';
import { checkVariant, priceFields } from '#domain/catalog/price-fields.ts';
import { succeedPrices } from '#domain/catalog/succeed-prices.ts';
import { command } from '#domain/kernel/command.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { samePricingModel } from '#domain/kernel/same-pricing-model.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { syncProductFeatures } from '#domain/subscriptions/entitlement/sync-product-features.ts';
import { featureIdsInput, productFields } from './product-input.ts';

export const createProductInput = z.object({
  product: z.object({ ...productFields, pricingModelId: z.string().nullish() }),
  price: z.object({ ...priceFields, usageMeterId: z.string().nullish() }).superRefine(checkVariant),
  featureIds: featureIdsInput,
});

export type CreateProductInput = z.output<typeof createProductInput>;

/**
 * Adds a product with its price and features, in one transaction.
 * Errors: BAD_REQUEST for a taken slug, a usage price, a feature that cannot be granted;
 * FORBIDDEN for a second default product.
 */
export function createProduct(
  session: Session,
  { product, price, featureIds }: CreateProductInput,
) {
  const { pricingModelId, default: isDefault, active, addOn, ...fields } = product;
  samePricingModel(session, 'product', pricingModelId);
  if (isDefault) {
    throw new DomainError(
      'FORBIDDEN',
      'A default product cannot be created; each pricing model already has one',
      { reason: 'FORBIDDEN' },
    );
  }
  if (price.type === 'usage') {
    throw invalid(
      'INVALID',
      'price.type',
      'must be subscription or single_payment: usage prices belong to usage meters',
    );
  }

  return command(session, async (session) => {
    const { em } = session;
    const currency = await currencyFor(session, price.currency);
    const created = em.create(Product, {
      ...fields,
      active: active ?? true,
      addOn: addOn ?? false,
    });
    await em.flush();
    await succeedPrices(session, created, price, currency, []);
    await em.flush();
    if (featureIds) await syncProductFeatures(session, created, featureIds);
    return created;
  });
}
