import { randomUUID } from 'node:crypto';
import { cardOf, type Shop } from './shop.ts';

/** Something that a person or an application waits for. */
export interface Operation {
  readonly name: string;
  /** A line for readers of the table. */
  readonly about: string;
  /** By how many statements it differs from run to run, where batches of reads depend on the turns of the event loop. */
  readonly variesBy?: number;
  /** Makes what one act needs, which is not counted, and returns the act. */
  prepare(shop: Shop): Promise<() => Promise<unknown>>;
}

const usageOf = (subscriptionId: string) => ({
  subscriptionId,
  usageMeterSlug: 'calls',
  amount: 3,
  transactionId: randomUUID(),
  properties: { region: 'eu', status: 200 },
});

const bulk = (count: number): Operation => ({
  name: `usage of ${count}`,
  about: `one call with ${count} usage events of one subscription`,
  async prepare({ subscription, call }) {
    const { id } = await subscription();
    const usageEvents = Array.from({ length: count }, () => usageOf(id));
    return () => call('POST', '/usage-events/bulk', { usageEvents });
  },
});

const toCompany = (timing: string) => ({
  adjustment: { timing, newSubscriptionItems: [{ priceSlug: 'company', quantity: 1 }] },
});

/** A purchase on a page, ready for the customer to pay. */
async function openPage({ call, payingCustomer }: Shop) {
  const { externalId } = await payingCustomer();
  const { url } = await call('POST', '/checkout-sessions', {
    checkoutSession: {
      type: 'product',
      customerExternalId: externalId,
      priceSlug: 'team',
      successUrl: 'https://example.com/thanks',
      cancelUrl: 'https://example.com/cart',
    },
  });
  return url as string;
}

/** A paid invoice, with its payment. */
async function paidInvoice({ call, invoice }: Shop) {
  const { id } = await invoice();
  await call('POST', `/invoices/${id}/finalize`);
  await call('POST', `/invoices/${id}/pay`, {});
  const { data } = await call('GET', `/payments?invoiceId=${id}`);
  return { id, paymentId: data[0].id as string };
}

/** The operations whose costs are counted, dearest kinds first. */
export const operations: readonly Operation[] = [
  {
    name: 'subscription, charged',
    about: 'a customer with a card subscribes to a paid plan: period, invoice, payment, features',
    async prepare({ payingCustomer, call }) {
      const { id: customerId, card } = await payingCustomer();
      const body = { customerId, priceSlug: 'team', defaultPaymentMethodId: card };
      return () => call('POST', '/subscriptions', body);
    },
  },
  {
    name: 'subscription, on trial',
    about: 'the same with a trial: no invoice yet',
    async prepare({ payingCustomer, call }) {
      const { id: customerId, card } = await payingCustomer();
      const body = { customerId, priceSlug: 'later', defaultPaymentMethodId: card };
      return () => call('POST', '/subscriptions', body);
    },
  },
  {
    name: 'subscription, free',
    about: 'a subscription to a paid plan that is not charged',
    async prepare({ customer, call }) {
      const { id: customerId } = await customer();
      return () =>
        call('POST', '/subscriptions', { customerId, priceSlug: 'team', doNotCharge: true });
    },
  },
  {
    name: 'adjust now',
    about: 'a dearer plan at once: proration, invoice and payment',
    async prepare({ subscription, call }) {
      const { id } = await subscription();
      return () => call('POST', `/subscriptions/${id}/adjust`, toCompany('immediately'));
    },
  },
  {
    name: 'adjust at the end',
    about: 'a dearer plan from the next period on',
    async prepare({ subscription, call }) {
      const { id } = await subscription();
      const body = toCompany('at_end_of_current_billing_period');
      return () => call('POST', `/subscriptions/${id}/adjust`, body);
    },
  },
  {
    name: 'preview',
    about: 'what adjust now would charge',
    async prepare({ subscription, call }) {
      const { id } = await subscription();
      return () => call('POST', `/subscriptions/${id}/preview-adjust`, toCompany('immediately'));
    },
  },
  {
    name: 'cancel',
    about: 'the end of a paid subscription at once',
    async prepare({ subscription, call }) {
      const { id } = await subscription();
      const cancellation = { timing: 'immediately' };
      return () => call('POST', `/subscriptions/${id}/cancel`, { cancellation });
    },
  },
  {
    name: 'checkout completed',
    about: 'a customer pays a plan on the page: method, purchase, subscription, invoice, payment',
    async prepare(shop) {
      const url = await openPage(shop);
      const form = {
        email: 'ada@example.com',
        name: 'Ada Lovelace',
        country: 'GB',
        city: 'London',
      };
      return () => shop.submit(url, { ...form, token: 'sandbox_success', type: 'card' });
    },
  },
  {
    name: 'renewal',
    about: 'a test clock with one subscription passes its boundary: period, billing run, payment',
    async prepare({ call }) {
      const { testClock } = await call('POST', '/test-clocks', {
        testClock: { name: 'Renewal', frozenTime: Date.UTC(2027, 0, 10) },
      });
      const { data } = await call('POST', '/customers', {
        customer: {
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          externalId: randomUUID(),
          testClockId: testClock.id,
        },
      });
      const { paymentMethod } = await call('POST', '/payment-methods', cardOf(data.customer.id));
      await call('POST', '/subscriptions', {
        customerId: data.customer.id,
        priceSlug: 'team',
        defaultPaymentMethodId: paymentMethod.id,
      });
      const frozenTime = Date.UTC(2027, 1, 11);
      return () => call('POST', `/test-clocks/${testClock.id}/advance`, { frozenTime });
    },
  },
  {
    name: 'invoice paid',
    about: 'an open invoice of one line is charged to the card',
    async prepare({ invoice, call }) {
      const { id } = await invoice();
      await call('POST', `/invoices/${id}/finalize`);
      return () => call('POST', `/invoices/${id}/pay`, {});
    },
  },
  {
    name: 'refund',
    about: 'a payment is refunded in full',
    async prepare(shop) {
      const { paymentId } = await paidInvoice(shop);
      return () => shop.call('POST', `/payments/${paymentId}/refund`, {});
    },
  },
  {
    name: 'credit note',
    about: 'one unit of a paid line is credited to the balance of the customer',
    async prepare(shop) {
      const { id } = await paidInvoice(shop);
      const { data } = await shop.call('GET', `/invoice-line-items?invoiceId=${id}`);
      const lines = [{ invoiceLineItemId: data[0].id, quantity: '1' }];
      const creditNote = { invoiceId: id, lines, settle: 'credit', reason: 'order_change' };
      return () => shop.call('POST', '/credit-notes', { creditNote });
    },
  },
  {
    name: 'customer',
    about: 'a customer with its free plan',
    async prepare({ call }) {
      const externalId = randomUUID();
      const customer = { name: 'Ada Lovelace', email: 'ada@example.com', externalId };
      return () => call('POST', '/customers', { customer });
    },
  },
  {
    name: 'payment method',
    about: 'a card of a customer',
    async prepare({ customer, call }) {
      const { id } = await customer();
      return () => call('POST', '/payment-methods', cardOf(id));
    },
  },
  {
    name: 'claim and release',
    about: 'one seat is claimed and released: two calls',
    async prepare({ subscription, call }) {
      const { id } = await subscription();
      const seat = { resourceSlug: 'seats', externalId: 'ada' };
      return async () => {
        await call('POST', `/resource-claims/${id}/claim`, seat);
        await call('POST', `/resource-claims/${id}/release`, seat);
      };
    },
  },
  {
    name: 'usage of 1',
    about: 'one usage event',
    async prepare({ subscription, call }) {
      const usageEvent = usageOf((await subscription()).id);
      return () => call('POST', '/usage-events', { usageEvent });
    },
  },
  bulk(100),
  bulk(1_000),
  {
    name: 'billing read',
    variesBy: 6,
    about: 'all that a customer page shows: subscription, items, features, invoices, methods',
    async prepare({ subscription, call }) {
      const { externalId } = await subscription();
      return () => call('GET', `/customers/${externalId}/billing`);
    },
  },
  {
    name: 'subscription read',
    about: 'one subscription',
    async prepare({ subscription, call }) {
      const { id } = await subscription();
      return () => call('GET', `/subscriptions/${id}`);
    },
  },
  {
    name: 'list of 100',
    about: 'a page of 100 subscriptions',
    async prepare({ call }) {
      return () => call('GET', '/subscriptions?limit=100');
    },
  },
];
