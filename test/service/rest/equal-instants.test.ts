import { describe, expect } from 'vitest';
import type { Answer } from '../../support/test.ts';
import { test } from '../../support/test.ts';

type Api = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** Every item of a REST list, two at a time. */
async function all(api: Api, path: string) {
  const items = [];
  let cursor = '';
  do {
    const mark = path.includes('?') ? '&' : '?';
    const { body, status } = await api('GET', `${path}${mark}limit=2${cursor}`);
    expect(status, JSON.stringify(body)).toBe(200);
    items.push(...body.data);
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : '';
  } while (cursor);
  return items;
}

/** A paying customer on a frozen clock, with a metered subscription that grants seats. */
async function aFrozenCustomer(api: Api, name: string, further: object = {}) {
  const ok = async (path: string, body: object) => {
    const answer = await api('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const { testClock } = await ok('/test-clocks', {
    testClock: { frozenTime: '2026-01-01T00:00:00Z' },
  });
  const { usageMeter } = await ok('/usage-meters', { usageMeter: { name, slug: `meter-${name}` } });
  const { resource } = await ok('/resources', { resource: { name, slug: `seats-${name}` } });
  const { feature } = await ok('/features', {
    feature: {
      type: 'resource',
      name,
      description: name,
      slug: `seats-${name}`,
      resourceId: resource.id,
      amount: 50,
    },
  });
  await ok('/products', {
    product: { name, slug: name },
    price: { type: 'subscription', slug: name, unitPrice: 1_000, intervalUnit: 'month' },
    featureIds: [feature.id],
  });
  const { data } = await ok('/customers', {
    customer: { name, email: 'a@example.com', externalId: name, testClockId: testClock.id },
  });
  const customerId = data.customer.id;
  await ok('/payment-methods', {
    paymentMethod: { customerId, type: 'card', token: 'sandbox_success' },
  });
  const { subscription } = await ok('/subscriptions', {
    customerExternalId: name,
    priceSlug: name,
    ...further,
  });
  return { ok, testClock, usageMeter, customerId, subscription };
}

describe('Records of the same instant are listed in the order in which they were made', () => {
  test('usage events, one by one and in bulk, over pages', async ({ api }) => {
    const { ok, subscription, usageMeter } = await aFrozenCustomer(api, 'usage');
    const event = (transactionId: string) => ({
      subscriptionId: subscription.id,
      usageMeterId: usageMeter.id,
      transactionId,
      amount: 1,
    });
    const names = Array.from({ length: 24 }, (_, index) => `call-${index}`);
    for (const name of names.slice(0, 4)) await ok('/usage-events', { usageEvent: event(name) });
    await ok('/usage-events/bulk', { usageEvents: names.slice(4, 20).map(event) });
    for (const name of names.slice(20)) await ok('/usage-events', { usageEvent: event(name) });

    const listed = await all(api, '/usage-events');
    const transactionIds = listed.map(({ transactionId }) => transactionId);
    expect(transactionIds).toEqual(names);
    expect(new Set(listed.map(({ createdAt }) => createdAt)).size).toBe(1);
  });

  test('the invoices of a subscription that catches up with several months', async ({ api }) => {
    const startDate = Date.parse('2025-08-15T00:00:00Z');
    const { ok, testClock } = await aFrozenCustomer(api, 'catch-up', { startDate });
    await ok(`/test-clocks/${testClock.id}/advance`, { frozenTime: '2026-01-01T00:01:00Z' });
    const invoices = await all(api, '/invoices');
    expect(new Set(invoices.map(({ createdAt }) => createdAt)).size).toBeLessThan(invoices.length);
    const numbers = invoices.map(({ invoiceNumber }) => invoiceNumber);
    expect(numbers.length).toBeGreaterThan(4);
    expect(numbers).toEqual(numbers.toSorted());
  });

  test('claims, customers and lines of an invoice', async ({ api, graphql }) => {
    const { ok, subscription, customerId, testClock } = await aFrozenCustomer(api, 'claims');
    const names = Array.from({ length: 12 }, (_, index) => `seat-${index}`);
    for (const name of names.slice(0, 3)) {
      await ok(`/resource-claims/${subscription.id}/claim`, {
        resourceSlug: 'seats-claims',
        externalId: name,
      });
    }
    await ok(`/resource-claims/${subscription.id}/claim`, {
      resourceSlug: 'seats-claims',
      externalIds: names.slice(3),
    });
    const { data } = await graphql(
      `query ($subscription: ID!) {
        resourceClaims(first: 100, where: { subscription: { is: $subscription } }) { nodes { externalId } }
      }`,
      { subscription: subscription.id },
    );
    expect(
      data.resourceClaims.nodes.map((node: { externalId: string }) => node.externalId),
    ).toEqual(names);

    for (const externalId of names) {
      const customer = { name: 'A', email: 'a@b.co', externalId, testClockId: testClock.id };
      await ok('/customers', { customer });
    }
    const found = await graphql(
      `query ($clock: ID!) {
        customers(first: 100, where: { testClock: { is: $clock } }) { nodes { externalId } }
        newest: customers(first: 100, orderBy: created_at_desc, where: { testClock: { is: $clock } }) { nodes { externalId } }
      }`,
      { clock: testClock.id },
    );
    const externalIds = (list: { nodes: { externalId: string }[] }) =>
      list.nodes.map(({ externalId }) => externalId);
    expect(externalIds(found.data.customers)).toEqual(['claims', ...names]);
    expect(externalIds(found.data.newest)).toEqual(['claims', ...names].toReversed());

    const lines = names.map((description) => ({ description, price: 100, quantity: 1 }));
    const { invoice } = await ok('/invoices', { invoice: { customerId }, invoiceLineItems: lines });
    const read = await api('GET', `/invoices/${invoice.id}`);
    const descriptions = read.body.invoiceLineItems.map(
      ({ description }: { description: string }) => description,
    );
    expect(descriptions).toEqual(names);
    const listed = await all(api, '/invoice-line-items');
    const own = listed.filter(({ invoiceId }) => invoiceId === invoice.id);
    expect(own.map(({ description }) => description)).toEqual(names);
  });
});
