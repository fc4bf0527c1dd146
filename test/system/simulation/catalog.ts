import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import type { Session } from '#domain/kernel/session.ts';
import { aProduct, aResource, aUsageMeter, aUsagePrice, fresh } from '../../support/factories.ts';
import type { Catalog } from './actor.ts';
import { seats } from './model.ts';

/** Two plans with the same seats, and a meter with a price. */
export async function aCatalog(
  session: Session,
  usagePrice: number,
  endsUnpaid = false,
): Promise<Catalog> {
  const resource = await aResource(session);
  const feature = await createFeature(fresh(session), {
    feature: {
      type: 'resource',
      name: 'Seats',
      description: 'Who may work',
      slug: `${resource.slug}-feature`,
      amount: seats,
      resourceId: resource.id,
    },
  });
  const plans = [
    { slug: 'simulated-small', price: 1_000 },
    { slug: 'simulated-large', price: 4_500 },
  ] as const;
  for (const { slug, price } of plans) {
    await aProduct(session, { slug, featureIds: [feature.id], price: { slug, unitPrice: price } });
  }
  const meter = await aUsageMeter(session);
  const price = { slug: 'simulated-calls', isDefault: true, unitPrice: usagePrice };
  await aUsagePrice(session, meter.id, price);
  return { plans, resourceSlug: resource.slug, usageMeterSlug: meter.slug, usagePrice, endsUnpaid };
}
