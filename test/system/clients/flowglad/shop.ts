import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import type { Session } from '#domain/kernel/session.ts';
import { aPaymentMethod, fresh } from '../../../support/factories.ts';
import type { Client } from './sdk.ts';

const price = { type: 'subscription', intervalUnit: 'month', intervalCount: 1 } as const;

/** A catalog of one product with seats, a meter and two plans, made with the client. */
export async function aCatalog(client: Client, session: Session) {
  const { pricingModelId } = session;
  const { usageMeter } = await client.usageMeters.create({
    usageMeter: { name: 'Calls', slug: 'calls', pricingModelId },
    price: { type: 'usage', unitPrice: 2, usageEventsPerUnit: 10 },
  });
  const { resource } = await client.resources.create({
    resource: { name: 'Seats', slug: 'seats', pricingModelId },
  });
  // The client has no class for features.
  const feature = await createFeature(fresh(session), {
    feature: {
      ...{ type: 'resource', name: 'Seats', description: 'Seats', slug: 'ten-seats' },
      ...{ resourceId: resource.id, amount: 10 },
    },
  });
  const plan = async (slug: string, unitPrice: number) => {
    const { product } = await client.products.create({
      product: { name: slug, slug, active: true, pricingModelId },
      price: { ...price, slug: `${slug}-monthly`, unitPrice, isDefault: true },
      featureIds: [feature.id],
    });
    return product;
  };
  return {
    usageMeter,
    resource,
    pro: await plan('pro', 1_000),
    team: await plan('team', 3_000),
  };
}

/** A customer with a card that can be charged. */
export async function aCustomer(client: Client, session: Session, externalId = 'ada') {
  const { data } = await client.customers.create({
    customer: { name: 'Ada Lovelace', email: 'ada@example.com', externalId },
  });
  const paymentMethod = await aPaymentMethod(session, data.customer.id);
  return { ...data, paymentMethod };
}

/** A catalog, and a customer who subscribes to its smaller plan. */
export async function aShop(client: Client, session: Session) {
  const catalog = await aCatalog(client, session);
  const { customer, paymentMethod } = await aCustomer(client, session);
  const { subscription } = await client.subscriptions.create({
    customerId: customer.id,
    priceSlug: 'pro-monthly',
    quantity: 1,
  });
  return { ...catalog, customer, paymentMethod, subscription };
}
