import { DomainError, invalidInput } from '../errors.ts';
import { Feature } from '../features/feature.ts';
import { Price } from '../prices/price.ts';
import type { Product } from '../products/product.ts';
import type { Session } from '../session.ts';
import { ProductFeature } from './product-feature.ts';

/**
 * Makes a locked product grant exactly the given features: missing ones are added or renewed, others
 * expire (reference §6.2). Errors: BAD_REQUEST with one issue for each feature that cannot be granted.
 */
export async function syncProductFeatures(
  session: Session,
  product: Product,
  featureIds: readonly string[],
) {
  const { em, now } = session;
  const features = await em.find(Feature, { id: { $in: [...featureIds] } });
  const price = await em.findOne(Price, { product: product.id, isDefault: true });
  const byId = new Map(features.map((feature) => [feature.id, feature]));
  const issues = featureIds.flatMap((id, index) => {
    const message = grantProblem(id, byId.get(id), price);
    return message ? [{ path: ['featureIds', index], message }] : [];
  });
  if (issues.length > 0) throw new DomainError('BAD_REQUEST', invalidInput, { issues });

  const grants = await em.find(ProductFeature, { product: product.id });
  const granted = new Map(grants.map((grant) => [grant.featureId as string, grant]));
  for (const grant of grants) {
    if (byId.has(grant.featureId)) grant.renew();
    else grant.expire(now);
  }
  for (const feature of features) {
    if (!granted.has(feature.id)) em.create(ProductFeature, { product, feature });
  }
}

/** Why a product with this default price cannot grant the feature, if there is a reason. */
export function grantProblem(id: string, feature: Feature | undefined, price: Price | null) {
  if (!feature) return `${id} is not a feature of yours`;
  if (!feature.active) return `${id} is not active`;
  if (feature.type === 'toggle' && price?.type === 'single_payment') {
    return `${id} is a toggle feature, which needs a product with a subscription price`;
  }
  return undefined;
}
