import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import { createPrice } from '#domain/catalog/commands/prices/create-price.ts';
import { createPricingModel } from '#domain/catalog/commands/pricing-models/create-pricing-model.ts';
import { createProductFeature } from '#domain/catalog/commands/product-features/create-product-feature.ts';
import { createProduct } from '#domain/catalog/commands/products/create-product.ts';
import { createResource } from '#domain/catalog/commands/resources/create-resource.ts';
import { createUsageMeter } from '#domain/catalog/commands/usage-meters/create-usage-meter.ts';
import { createInvoice } from '#domain/invoicing/commands/invoices/create-invoice.ts';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { finalizeInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { enterPricingModel, openSession, type Session } from '#domain/kernel/session.ts';
import { createPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { createCustomer } from '#domain/platform/commands/customers/create-customer.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { createTestClock } from '#domain/platform/commands/test-clocks/create-test-clock.ts';
import { createWebhook } from '#domain/platform/commands/webhooks/create-webhook.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import type { CreateSubscriptionInput } from '#domain/subscriptions/commands/subscriptions/create-subscription-input.ts';

let count = 0;
const slug = (kind: string) => `${kind}-${++count}`;

/** A session with a new EntityManager for each factory, so that a test reads the stored rows. */
export const fresh = ({ em, apiKeyId, ...scope }: Session) => openSession(em, scope, apiKeyId);

export const aUsageMeter = (session: Session, usageMeter: { slug?: string; name?: string } = {}) =>
  createUsageMeter(fresh(session), {
    usageMeter: { name: 'API calls', slug: slug('meter'), ...usageMeter },
  });

export const aResource = (session: Session, resource: { slug?: string; name?: string } = {}) =>
  createResource(fresh(session), {
    resource: { name: 'Seats', slug: slug('resource'), ...resource },
  });

export const aToggle = (session: Session, feature: { slug?: string; active?: boolean } = {}) =>
  createFeature(fresh(session), {
    feature: {
      type: 'toggle',
      name: 'SSO',
      description: 'Sign on',
      slug: slug('toggle'),
      ...feature,
    },
  });

export const aProduct = (
  session: Session,
  {
    featureIds,
    price,
    ...product
  }: {
    slug?: string;
    name?: string;
    featureIds?: string[];
    price?: { unitPrice?: number; slug?: string };
  } = {},
) =>
  createProduct(fresh(session), {
    product: { name: 'Pro', slug: slug('product'), ...product },
    price: { type: 'subscription', unitPrice: 1_000, intervalUnit: 'month', ...price },
    featureIds,
  });

/** The id of the price of a new product. */
export async function aPriceOf(
  session: Session,
  price: {
    unitPrice?: number;
    currency?: string | undefined;
    intervalUnit?: 'day' | 'week' | 'month' | 'year';
    intervalCount?: number;
  },
): Promise<string> {
  const product = await createProduct(fresh(session), {
    product: { name: 'Pro', slug: slug('product') },
    price: { type: 'subscription', unitPrice: 1_000, intervalUnit: 'month', ...price },
  });
  const [first] = await product.prices.loadItems();
  if (!first) throw new Error(`${product.id} has no price`);
  return first.id;
}

/** A product with a single payment. */
export const aOneTimeProduct = (session: Session) =>
  createProduct(fresh(session), {
    product: { name: 'Setup', slug: slug('product') },
    price: { type: 'single_payment', unitPrice: 5_000 },
  });

export const aUsagePrice = (
  session: Session,
  usageMeterId: string,
  price: {
    slug?: string;
    isDefault?: boolean;
    active?: boolean;
    unitPrice?: number;
    usageEventsPerUnit?: number;
    currency?: string;
    freeUnits?: number | null;
    minimumAmount?: number | null;
  } = {},
) =>
  createPrice(fresh(session), {
    price: {
      type: 'usage',
      usageMeterId,
      unitPrice: 2,
      usageEventsPerUnit: 10,
      intervalUnit: 'month',
      ...price,
    },
  });

export const aCreditGrant = (session: Session, usageMeterId: string) =>
  createFeature(fresh(session), {
    feature: {
      type: 'usage_credit_grant',
      name: 'Credits',
      description: 'Free calls',
      slug: slug('credits'),
      amount: 100,
      usageMeterId,
      renewalFrequency: 'every_billing_period',
    },
  });

export const aProductFeature = (session: Session, productId: string, featureId: string) =>
  createProductFeature(fresh(session), { productFeature: { productId, featureId } });

/** A session of another pricing model of the organization, in the session's mode. */
export async function aPricingModel(
  session: Session,
  pricingModel: { name?: string; isDefault?: boolean } = {},
): Promise<Session> {
  const input = { pricingModel: { name: 'Another', ...pricingModel } };
  const { id } = await createPricingModel(fresh(session), input);
  return enterPricingModel(session, id);
}

/** A session of the organization's live pricing model, which it creates. */
export function aLiveSession({ em, apiKeyId, ...scope }: Session): Promise<Session> {
  const live = openSession(em, { ...scope, livemode: true, pricingModelId: '' }, apiKeyId);
  return aPricingModel(live, { name: 'Live', isDefault: true });
}

export const aWebhook = (session: Session, webhook: { name?: string; url?: string } = {}) =>
  createWebhook(
    fresh(session),
    {
      webhook: {
        name: 'Orders',
        url: 'https://example.com/hooks',
        filterTypes: ['customer.created'],
        ...webhook,
      },
    },
    { allowPrivate: true },
  );

export const aTestClock = (session: Session, frozenTime = new Date('2026-01-31T10:00:00Z')) =>
  createTestClock(fresh(session), { testClock: { frozenTime } });

/** A customer on the free plan. */
export const aCustomer = async (
  session: Session,
  customer: { externalId?: string; testClockId?: string | undefined; language?: string } = {},
) => {
  const externalId = slug('customer');
  const input = { email: 'ada@example.com', name: 'Ada', externalId, ...customer };
  return (await createCustomer(fresh(session), { customer: input })).customer;
};

export const aPaymentMethod = (
  session: Session,
  customerId: string,
  paymentMethod: { token?: string; default?: boolean } = {},
) =>
  createPaymentMethod(fresh(session), {
    paymentMethod: { customerId, type: 'card', token: 'sandbox_success', ...paymentMethod },
  });

/** A subscription to a new product; its customer is a new one by default. */
export const aSubscription = async (
  session: Session,
  {
    unitPrice = 1_000,
    featureIds,
    ...input
  }: Partial<CreateSubscriptionInput> & { unitPrice?: number; featureIds?: string[] } = {},
) => {
  const customerId = input.customerId ?? (await aCustomer(session)).id;
  let { priceId } = input;
  if (priceId == null && !input.items) {
    const product = await aProduct(session, {
      price: { unitPrice },
      ...(featureIds && { featureIds }),
    });
    priceId = (await product.prices.loadItems())[0]?.id;
  }
  return createSubscription(fresh(session), { ...input, customerId, priceId });
};

/** Lets customers of the session's organization have several current subscriptions. */
export const allowSeveral = (session: Session) =>
  updateOrganization(fresh(session), {
    organization: { allowMultipleSubscriptionsPerCustomer: true },
  });
/** A draft without a subscription; its customer is a new one by default. */
export const aDraft = async (
  session: Session,
  {
    customerId,
    lines = [{ quantity: 2, price: 500 }],
    ...invoice
  }: {
    customerId?: string;
    currency?: string;
    memo?: string;
    lines?: { quantity: number; price: number; priceId?: string; description?: string }[];
  } = {},
) =>
  createInvoice(fresh(session), {
    invoice: { customerId: customerId ?? (await aCustomer(session)).id, ...invoice },
    invoiceLineItems: lines,
  });

/** An open invoice, whose customer pays with this token. */
export const anOpenInvoice = async (
  session: Session,
  { token = 'sandbox_success', ...draft }: Parameters<typeof aDraft>[1] & { token?: string } = {},
) => {
  const { id, customerId } = await aDraft(session, draft);
  await aPaymentMethod(session, customerId, { token, default: true });
  return finalizeInvoice(fresh(session), { id });
};

/** An invoice whose customer has attempted to pay. */
export const aPaidInvoice = async (
  session: Session,
  invoice: Parameters<typeof anOpenInvoice>[1] = {},
) => payInvoice(fresh(session), { id: (await anOpenInvoice(session, invoice)).id });
