import type { Session } from '#domain/kernel/session.ts';
import { Organization } from '#domain/organizations/organization.ts';
import { type intervalUnits, Price } from '#domain/prices/price.ts';
import { Product } from '#domain/products/product.ts';

/** The product that every new customer starts on. */
export async function addFreePlan(
  session: Session,
  pricingModelId: string,
  intervalUnit: (typeof intervalUnits)[number] | null,
) {
  const { em } = session;
  const { currency } = await em.findOneOrFail(Organization, session.organizationId);
  const product = em.create(Product, {
    pricingModelId,
    name: 'Free Plan',
    slug: 'free',
    description: 'Default plan',
    default: true,
  });
  em.create(Price, {
    pricingModelId,
    product,
    name: 'Free Plan',
    slug: 'free',
    type: intervalUnit ? 'subscription' : 'single_payment',
    unitPrice: 0,
    currency,
    isDefault: true,
    intervalUnit,
    intervalCount: intervalUnit && 1,
  });
  await em.flush();
}
