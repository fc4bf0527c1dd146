import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { instantInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { requireRoom } from '#domain/subscriptions/entitlement/most-features.ts';
import {
  grantProblem,
  lockFeatures,
} from '#domain/subscriptions/entitlement/sync-product-features.ts';

export const createProductFeatureInput = z.object({
  productFeature: z.object({
    productId: z.string(),
    featureId: z.string(),
    expiredAt: instantInput.nullish(),
  }),
});

export type CreateProductFeatureInput = z.output<typeof createProductFeatureInput>;

/**
 * Lets a product grant a feature; an expired grant is renewed. Errors: BAD_REQUEST for an unknown product or feature,
 * and for more features than a product may have.
 */
export function createProductFeature(
  session: Session,
  { productFeature }: CreateProductFeatureInput,
) {
  const { productId, featureId } = productFeature;
  const expiredAt = productFeature.expiredAt ?? null;

  return command(session, async (session) => {
    const { em } = session;
    const product = await em.findOne(Product, productId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!product)
      throw invalid('NOT_FOUND', 'productFeature.productId', `Unknown product ${productId}`);
    const [feature] = await lockFeatures(session, [featureId]);
    const problem = grantProblem(featureId, feature);
    if (problem) throw invalid(problem.code, 'productFeature.featureId', problem.message);

    const existing = await em.findOne(ProductFeature, { product: productId, feature: featureId });
    if (!existing) {
      const granted = await em.count(ProductFeature, { product: productId });
      requireRoom(granted + 1, 'productFeature.productId');
      return em.create(ProductFeature, { product, feature: featureId, expiredAt });
    }
    existing.expiredAt = expiredAt;
    return existing;
  });
}
