import type { MikroORM } from '@mikro-orm/postgresql';
import { createProduct } from '#domain/catalog/commands/products/create-product.ts';
import { createUsageMeter } from '#domain/catalog/commands/usage-meters/create-usage-meter.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import type { aggregationTypes } from '#domain/model/catalog/usage-meter.ts';
import { Organization } from '#domain/model/platform/organization.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { createPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { createCustomer } from '#domain/platform/commands/customers/create-customer.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';

/** A subscription with a meter of its own, in its first period. */
export interface Metered {
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly meterId: string;
  readonly meterSlug: string;
  readonly periodId: string;
  readonly start: Date;
}

/** A session of the only organization at an instant. */
export async function sessionAt(orm: MikroORM, now: Date): Promise<Session> {
  const em = orm.em.fork();
  const [organization] = await em.findAll(Organization);
  const [pricingModel] = await em.find(PricingModel, {}, { filters: { tenant: false } });
  if (!organization || !pricingModel) throw new Error('The database is empty');
  const tenant = { organizationId: organization.id, pricingModelId: pricingModel.id };
  return openSession(orm.em, { ...tenant, livemode: false, keyType: 'secret', now });
}

/** Adds a customer who pays a plan by the month from an instant on, and a meter with a price. */
export async function addMeteredCustomer(
  orm: MikroORM,
  name: string,
  aggregationType: (typeof aggregationTypes)[number],
  start: Date,
): Promise<Metered> {
  const session = () => sessionAt(orm, start);
  const meter = await createUsageMeter(await session(), {
    usageMeter: { name: 'API calls', slug: name, aggregationType },
    price: { unitPrice: 1, usageEventsPerUnit: 1_000 },
  });
  const product = await createProduct(await session(), {
    product: { name: 'Pro', slug: name },
    price: { type: 'subscription', unitPrice: 1_000, intervalUnit: 'month' },
  });
  const [price] = await product.prices.loadItems();
  const { customer } = await createCustomer(await session(), {
    customer: { externalId: name, email: 'ada@example.com', name: 'Ada' },
  });
  const customerId = customer.id;
  const method = await createPaymentMethod(await session(), {
    paymentMethod: { customerId, type: 'card', token: 'sandbox_success' },
  });
  const { id: subscriptionId } = await createSubscription(await session(), {
    customerId,
    priceId: price?.id,
    defaultPaymentMethodId: method.id,
  });
  const { em } = await session();
  const period = await em.findOneOrFail(BillingPeriod, { subscription: subscriptionId });
  return {
    customerId,
    subscriptionId,
    meterId: meter.id,
    meterSlug: name,
    periodId: period.id,
    start,
  };
}
