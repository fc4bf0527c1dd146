/** The service as a client of its interfaces sees it. Errors: an answer that is no success. */
export interface Client {
  // biome-ignore lint/suspicious/noExplicitAny: each endpoint answers in a shape of its own
  call(method: string, path: string, body?: unknown): Promise<any>;
  /** Submits the form of a page, and follows its redirections within the service. */
  submit(url: string, form: Readonly<Record<string, string>>): Promise<void>;
}

/** A client of a service at an address, or of a gateway in this process. */
export function clientOf(
  fetch: (url: string, init: RequestInit) => Response | Promise<Response>,
  url: string,
  key: string,
): Client {
  return {
    async call(method, path, body) {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
      return JSON.parse(text);
    },
    async submit(page, form) {
      const { pathname, search } = new URL(page);
      const answer = await fetch(`${url}${pathname}${search}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      });
      await answer.text();
      if (answer.status !== 303) throw new Error(`${pathname} answers ${answer.status}`);
    },
  };
}

/** A small business: its catalog, and ways to make what operations need. */
export interface Shop extends Client {
  customer(): Promise<{ readonly id: string; readonly externalId: string }>;
  /** A customer with a card that pays. */
  payingCustomer(): Promise<{
    readonly id: string;
    readonly externalId: string;
    readonly card: string;
  }>;
  /** A subscription that has been charged, of a new customer. */
  subscription(): Promise<{
    readonly id: string;
    readonly customerId: string;
    readonly externalId: string;
  }>;
  /** An open invoice of a new customer with a card. */
  invoice(): Promise<{ readonly id: string; readonly card: string }>;
}

/** Opens a shop that sells a plan with 5 seats and calls by number, a trial, a larger plan and a single payment. */
export async function openShop(client: Client): Promise<Shop> {
  const { call } = client;
  let made = 0;
  const product = async (slug: string, price: object) => {
    const { product } = await call('POST', '/products', {
      product: { name: slug, slug },
      price: { type: 'subscription', intervalUnit: 'month', slug, ...price },
    });
    return product.id as string;
  };
  await call('POST', '/usage-meters', {
    usageMeter: { name: 'Calls', slug: 'calls' },
    price: { unitPrice: 1, usageEventsPerUnit: 100 },
  });
  const team = await product('team', { unitPrice: 2_000 });
  await product('company', { unitPrice: 5_000 });
  await product('later', { unitPrice: 2_000, trialPeriodDays: 14 });
  await call('POST', '/products', {
    product: { name: 'Set-up', slug: 'set-up' },
    price: { type: 'single_payment', slug: 'set-up', unitPrice: 5_000 },
  });
  const { resource } = await call('POST', '/resources', {
    resource: { name: 'Seats', slug: 'seats' },
  });
  const { feature } = await call('POST', '/features', {
    feature: {
      type: 'resource',
      name: 'Seats',
      slug: 'five-seats',
      description: 'Who may work',
      amount: 5,
      resourceId: resource.id,
    },
  });
  await call('POST', '/product-features', {
    productFeature: { productId: team, featureId: feature.id },
  });

  const customer = async () => {
    const externalId = `customer-${++made}`;
    const { data } = await call('POST', '/customers', {
      customer: { name: 'Ada Lovelace', email: `${externalId}@example.com`, externalId },
    });
    return { id: data.customer.id as string, externalId };
  };
  const payingCustomer = async () => {
    const of = await customer();
    const { paymentMethod } = await call('POST', '/payment-methods', cardOf(of.id));
    return { ...of, card: paymentMethod.id as string };
  };
  return {
    ...client,
    customer,
    payingCustomer,
    async subscription() {
      const { id: customerId, externalId, card } = await payingCustomer();
      const { subscription } = await call('POST', '/subscriptions', {
        customerId,
        priceSlug: 'team',
        defaultPaymentMethodId: card,
      });
      return { id: subscription.id, customerId, externalId };
    },
    async invoice() {
      const { id: customerId, card } = await payingCustomer();
      const { invoice } = await call('POST', '/invoices', {
        invoice: { customerId },
        invoiceLineItems: [{ description: 'Desk', quantity: 3, price: 19_999 }],
      });
      return { id: invoice.id, card };
    },
  };
}

/** A card of the sandbox that pays. */
export const cardOf = (customerId: string) => ({
  paymentMethod: { customerId, type: 'card', token: 'sandbox_success' },
});
