import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { agreedBy, anAdjustable } from '../../support/adjustments.ts';
import { aCustomer, aPaymentMethod, aPriceOf, aProduct } from '../../support/factories.ts';
import { test } from '../../support/test.ts';

const dry = { headers: { prefer: 'dry-run' } };

/** How many rows there are of what mutations write, processor and feed included. */
async function rowsOf({ em }: Session) {
  const tables = [
    'event',
    'invoice',
    'payment',
    'sandbox_charge',
    'product',
    'subscription',
    'refund',
  ];
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  const [rows = {}] = await em
    .fork()
    .execute<Record<string, number>[]>(`select ${counts.join(', ')}`);
  return rows;
}

describe('with Prefer: dry-run', () => {
  test('an adjustment answers what the real one does, with its effects, and nothing is written', async ({
    api,
    session,
  }) => {
    const it = await anAdjustable(session);
    await it.toDay(15);
    const adjustment = {
      timing: 'auto',
      newSubscriptionItems: [{ priceId: await it.monthly(2_000) }],
    };
    const [before, rows] = [await agreedBy(session, it.customer.id), await rowsOf(session)];
    const path = `/subscriptions/${it.id}/adjust`;
    const planned = await api('POST', path, { adjustment }, dry);
    expect(planned.status).toBe(200);
    expect(planned.headers.get('preference-applied')).toBe('dry-run');
    expect(await agreedBy(session, it.customer.id)).toEqual(before);
    expect(await rowsOf(session)).toEqual(rows);
    const { effects, ...payload } = planned.body;
    expect(effects).toMatchObject({
      invoices: [{ subtotal: 500, status: 'paid' }],
      lineItems: [{ price: 500, quantity: 1 }],
      charges: [{ amount: 500, status: 'succeeded' }],
      entitlements: [],
    });
    expect(effects.events.map(({ type }: { type: string }) => type)).toContain(
      'subscription.adjusted',
    );
    const real = await api('POST', path, { adjustment });
    expect(real.body).toEqual({
      ...payload,
      subscriptionItems: [{ ...payload.subscriptionItems[0], id: expect.stringMatching(/^si_/) }],
    });
    expect((await it.charges()).map(({ amount }) => amount)).toEqual([1_000, 500]);
  });

  test('several mutations of one request tell all that they would do, also after a webhook', async ({
    gateway,
    tenant,
  }) => {
    const webhook = `{ name: "Hook", url: "https://example.com/hook", filterTypes: ["customer.created"] }`;
    const query = `mutation {
      createResource(resource: { name: "Seats", slug: "dry-seats" }) { resource { id } }
      createWebhook(webhook: ${webhook}) { webhook { id } }
    }`;
    const answer = await gateway.fetch('http://test/graphql', {
      method: 'POST',
      headers: {
        authorization: tenant.key,
        'content-type': 'application/json',
        prefer: 'dry-run',
      },
      body: JSON.stringify({ query }),
    });
    const { errors, extensions } = (await answer.json()) as {
      errors?: unknown;
      extensions: { effects: { events: { type: string }[] } };
    };
    expect(errors).toBeUndefined();
    expect(extensions.effects.events.map(({ type }) => type).sort()).toEqual([
      'resource.created',
      'webhook.created',
    ]);
  });

  test('a subscription is not begun, and its first payment not made', async ({ api, session }) => {
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId);
    const subscription = { customerId, priceId: await aPriceOf(session, { unitPrice: 700 }) };
    const rows = await rowsOf(session);
    const planned = await api('POST', '/subscriptions', subscription, dry);
    expect(planned.body).toMatchObject({
      subscription: { status: 'active' },
      effects: { charges: [{ amount: 700, status: 'succeeded' }], invoices: [{ subtotal: 700 }] },
    });
    expect(await rowsOf(session)).toEqual(rows);
    const { id } = planned.body.subscription;
    expect(await api('GET', `/subscriptions/${id}`)).toMatchObject({ status: 404 });
  });

  test('a future time happens and is rolled back', async ({ api, session }) => {
    const it = await anAdjustable(session);
    const clock = (await it.current()).testClockId;
    const rows = await rowsOf(session);
    const frozenTime = it.day(95).getTime();
    const planned = await api('POST', `/test-clocks/${clock}/advance`, { frozenTime }, dry);
    expect(planned.body).toMatchObject({
      testClock: { frozenTime, status: 'ready' },
      effects: { charges: [{ amount: 1_000 }, { amount: 1_000 }, { amount: 1_000 }] },
    });
    expect(await rowsOf(session)).toEqual(rows);
  });

  test('a refund, a cancellation in its older rendering and a product leave nothing behind', async ({
    api,
    session,
  }) => {
    const it = await anAdjustable(session);
    const product = await aProduct(session);
    const [payment] = await it.payments();
    const rows = await rowsOf(session);
    const refunded = await api('POST', `/payments/${payment?.id}/refund`, {}, dry);
    expect(refunded.body).toMatchObject({
      payment: { refunded: true },
      effects: { events: expect.any(Array) },
    });
    const cancellation = { timing: 'immediately' };
    const canceled = await api('POST', `/subscriptions/${it.id}/cancel`, { cancellation }, dry);
    expect(canceled.body).toMatchObject({
      subscription: { status: 'canceled', canceledAt: expect.any(String) },
    });
    const renamed = await api(
      'PUT',
      `/products/${product.id}`,
      { product: { name: 'Other' } },
      dry,
    );
    expect(renamed.body).toMatchObject({
      product: { name: 'Other' },
      effects: { events: [{ type: 'product.updated', objectId: product.id }] },
    });
    expect(await rowsOf(session)).toEqual(rows);
    expect(await it.charges()).toMatchObject([{ refunded: 0 }]);
  });

  test('a refusal is the refusal, and a read is a read', async ({ api, session }) => {
    const it = await anAdjustable(session);
    await it.pays('sandbox_decline_expired_card', { default: true });
    const adjustment = {
      timing: 'auto',
      newSubscriptionItems: [{ priceId: await it.monthly(2_000) }],
    };
    const rows = await rowsOf(session);
    const refused = await api('POST', `/subscriptions/${it.id}/adjust`, { adjustment }, dry);
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('expired_card') },
    });
    expect(refused.body.effects).toBeUndefined();
    expect(await rowsOf(session)).toEqual(rows);
    expect((await api('GET', `/subscriptions/${it.id}`, undefined, dry)).body).toEqual({
      subscription: expect.anything(),
    });
  });

  test('an Idempotency-Key is kept for the dry run, and another one carries it out', async ({
    api,
    session,
  }) => {
    const body = {
      product: { name: 'Dry', slug: 'dry' },
      price: { type: 'subscription', unitPrice: 1, intervalUnit: 'month' },
    };
    const headers = { ...dry.headers, 'idempotency-key': 'first' };
    const first = await api('POST', '/products', body, { headers });
    expect(first.body.effects).toBeDefined();
    expect((await api('POST', '/products', body, { headers })).body).toEqual(first.body);
    const rows = await rowsOf(session);
    expect((await api('POST', '/products', body)).status).toBe(200);
    expect((await rowsOf(session)).product).toBe(Number(rows.product) + 1);
  });
});

describe('in GraphQL', () => {
  test('dryRun in the extensions of a request puts the effects into those of the answer', async ({
    gateway,
    tenant,
    session,
  }) => {
    const rows = await rowsOf(session);
    const response = await gateway.fetch('http://test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tenant.key}` },
      body: JSON.stringify({
        query:
          'mutation { createResource(resource: { name: "Seats", slug: "seats" }) { resource { id slug } } }',
        extensions: { dryRun: true },
      }),
    });
    expect(await response.json()).toMatchObject({
      data: { createResource: { resource: { slug: 'seats' } } },
      extensions: { effects: { events: [{ type: 'resource.created' }] } },
    });
    expect(await rowsOf(session)).toEqual(rows);
  });
});
