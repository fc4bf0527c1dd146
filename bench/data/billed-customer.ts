import type { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { createProduct } from '#domain/catalog/commands/products/create-product.ts';
import { createUsageMeter } from '#domain/catalog/commands/usage-meters/create-usage-meter.ts';
import { openSession } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { Organization } from '#domain/model/platform/organization.ts';
import { createPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { createCustomer } from '#domain/platform/commands/customers/create-customer.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { recordUsageEvents } from '#domain/recording/present/record-usage-events.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';

/** More than a month, so that the first period is over. */
const ageMilliseconds = 32 * 86_400_000;

/** The parts of an invoice beside the price. */
export type Kind = 'plain' | 'mixed';

/**
 * Adds a customer who has subscribed more than a month ago and whose run for the second period is due. A mixed one
 * has used a meter, has a credit balance and pays tax. Returns the id of the customer.
 */
export async function addBilledCustomer(
  orm: MikroORM,
  database: pg.Client,
  kind: Kind,
): Promise<string> {
  const em = orm.em.fork();
  const [organization] = await em.findAll(Organization);
  const [pricingModel] = await em.find(PricingModel, {}, { filters: { tenant: false } });
  if (!organization || !pricingModel) throw new Error('The database is empty');
  const now = new Date(Date.now() - ageMilliseconds);
  const tenant = { organizationId: organization.id, pricingModelId: pricingModel.id };
  const scope = { ...tenant, livemode: false, keyType: 'secret', now } as const;
  const session = () => openSession(orm.em, scope);
  const product = await createProduct(session(), {
    product: { name: 'Pro', slug: kind },
    price: { type: 'subscription', unitPrice: 1_000, intervalUnit: 'month' },
  });
  const [price] = await product.prices.loadItems();
  const { customer } = await createCustomer(session(), {
    customer: { externalId: kind, email: 'ada@example.com', name: 'Ada' },
  });
  const customerId = customer.id;
  const method = await createPaymentMethod(session(), {
    paymentMethod: { customerId, type: 'card', token: 'sandbox_success' },
  });
  const { id: subscriptionId } = await createSubscription(session(), {
    customerId,
    priceId: price?.id,
    defaultPaymentMethodId: method.id,
  });
  if (kind === 'mixed') {
    await createUsageMeter(session(), {
      usageMeter: { name: 'API calls', slug: 'calls' },
      price: { unitPrice: 3, usageEventsPerUnit: 10 },
    });
    const usageEvents = [55, 60, 70].map((amount) => ({
      subscriptionId,
      usageMeterSlug: 'calls',
      amount: String(amount),
      transactionId: String(amount),
    }));
    await recordUsageEvents(session(), { usageEvents });
    await updateCustomer(session(), {
      externalId: kind,
      customer: { taxType: 'vat', taxRatePercentage: '19' },
    } as never);
    await giveCredit(database, customerId, 500);
  }
  await transitionDueSubscriptions(orm.em.fork(), new Date(), 'bench');
  return customerId;
}

/** A balance from before the books begin. */
const giveCredit = (database: pg.Client, customerId: string, amount: number) =>
  database.query(
    `with opened as (insert into book_opening (customer_id, organization_id, currency, amount)
       select id, organization_id, 'USD', $2 from customer where id = $1)
     update customer set credit_balance = $2 where id = $1`,
    [customerId, amount],
  );
