// @module-tag long
import { createClient } from 'graphql-ws';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { startServer } from '#server/server.ts';
import {
  aCustomer,
  anOpenInvoice,
  aPaidInvoice,
  aPaymentMethod,
  aPricingModel,
  aProduct,
  aSubscription,
} from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { graphqlOf, test } from '../../../support/test.ts';

const query = `query($from: Timestamp!, $to: Timestamp!, $interval: RevenueInterval!) {
  organizationRevenue(from: $from, to: $to, interval: $interval) {
    buckets { start end currency invoiced paid refunded }
  }
}`;
const now = '{ mrr activeSubscriptions paid refunded outstanding currency }';
const totalsQuery = `{ organizationRevenue(from: 0, to: 1, interval: day) { totals ${now} } }`;
const nothing = {
  mrr: 0,
  activeSubscriptions: 0,
  paid: 0,
  refunded: 0,
  outstanding: 0,
  currency: 'USD',
};

/** The same caller at another time. */
const at = ({ em, apiKeyId, ...scope }: Session, now: string) =>
  openSession(em, { ...scope, now: new Date(now) }, apiKeyId);

const iso = ({ start, end, ...rest }: { start: number; end: number }) => ({
  ...rest,
  start: new Date(start).toISOString(),
  end: new Date(end).toISOString(),
});

async function aPayingSubscription(session: Session, interval: 'month' | 'year' = 'month') {
  const { id: customerId } = await aCustomer(session);
  await aPaymentMethod(session, customerId);
  const product = await aProduct(session, { price: { unitPrice: 1_000 } });
  const priceId = (await product.prices.loadItems())[0]?.id;
  return aSubscription(session, { customerId, priceId, interval, quantity: 3 });
}

describe('organizationRevenue', () => {
  test('shows what was invoiced, paid and refunded in each day, week and month', async ({
    session,
    graphql,
  }) => {
    await aPaidInvoice(at(session, '2026-03-01T23:59:59.999Z'), {
      lines: [{ quantity: 1, price: 100 }],
    });
    await aPaidInvoice(at(session, '2026-03-02T00:00:00Z'), {
      lines: [{ quantity: 1, price: 20 }],
    });
    const later = await anOpenInvoice(at(session, '2026-03-02T12:00:00Z'), {
      lines: [{ quantity: 1, price: 3 }],
    });
    await payInvoice(at(session, '2026-04-01T00:00:00Z'), { id: later.id });
    const ask = async (from: string, to: string, interval: string) => {
      const { data, errors } = await graphql(query, { from, to, interval });
      expect(errors).toBeUndefined();
      return data.organizationRevenue.buckets.map(iso);
    };
    const of = (start: string, end: string, invoiced: number, paid: number) => ({
      start: `${start}T00:00:00.000Z`,
      end: `${end}T00:00:00.000Z`,
      currency: 'USD',
      invoiced,
      paid,
      refunded: 0,
    });
    // The second of March 2026 is a Monday.
    expect(await ask('2026-03-01T12:00:00Z', '2026-03-03T00:00:00.001Z', 'day')).toEqual([
      of('2026-03-01', '2026-03-02', 100, 100),
      of('2026-03-02', '2026-03-03', 23, 20),
      of('2026-03-03', '2026-03-04', 0, 0),
    ]);
    expect(await ask('2026-03-01', '2026-03-03', 'week')).toEqual([
      of('2026-02-23', '2026-03-02', 100, 100),
      of('2026-03-02', '2026-03-09', 23, 20),
    ]);
    expect(await ask('2026-02-28', '2026-04-02', 'month')).toEqual([
      of('2026-02-01', '2026-03-01', 0, 0),
      of('2026-03-01', '2026-04-01', 123, 120),
      of('2026-04-01', '2026-05-01', 0, 3),
    ]);
  });

  test('shows what goes back on the day on which it does', async ({ session, graphql, api }) => {
    await aPaidInvoice(at(session, '2026-03-01T12:00:00Z'));
    const [{ id }] = (await api('GET', '/payments')).body.data;
    await api('POST', `/payments/${id}/refund`, { partialAmount: 400 });
    const today = Date.now();
    const { data } = await graphql(query, { from: today, to: today + 1, interval: 'day' });
    expect(data.organizationRevenue.buckets).toMatchObject([{ paid: 0, refunded: 400 }]);
    const { data: totals } = await graphql(totalsQuery);
    expect(totals.organizationRevenue.totals).toEqual([{ ...nothing, paid: 1_000, refunded: 400 }]);
  });

  test('a void invoice was never invoiced', async ({ session, graphql, api }) => {
    const { id } = await anOpenInvoice(at(session, '2026-03-01T12:00:00Z'));
    const march = { from: '2026-03-01', to: '2026-03-02', interval: 'day' };
    const before = await graphql(query, march);
    expect(before.data.organizationRevenue.buckets).toMatchObject([{ invoiced: 1_000 }]);
    await api('POST', `/invoices/${id}/void`);
    const after = await graphql(query, march);
    expect(after.data.organizationRevenue.buckets).toMatchObject([{ invoiced: 0 }]);
  });

  test('totals follow subscriptions: paid ones only, by the month', async ({
    session,
    graphql,
    api,
  }) => {
    const totals = async () => (await graphql(totalsQuery)).data.organizationRevenue.totals;
    await aCustomer(session);
    expect(await totals()).toEqual([nothing]);
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId);
    await aSubscription(session, { doNotCharge: true });
    await aSubscription(session, { customerId, trialEnd: new Date(Date.now() + 86_400_000) });
    expect(await totals()).toEqual([nothing]);
    const { id } = await aPayingSubscription(session);
    await aPayingSubscription(session, 'year');
    const two = { ...nothing, mrr: 3_250, activeSubscriptions: 2, paid: 6_000 };
    expect(await totals()).toEqual([two]);
    await anOpenInvoice(session);
    expect(await totals()).toEqual([{ ...two, outstanding: 1_000 }]);
    const canceled = await api('POST', `/subscriptions/${id}/cancel`, {
      cancellation: { timing: 'immediately' },
    });
    expect(canceled.status).toBe(200);
    const one = { ...two, mrr: 250, activeSubscriptions: 1, outstanding: 1_000 };
    expect(await totals()).toEqual([one]);
  });

  test('is that of the key’s pricing model', async ({ session, graphql, database }) => {
    await aPayingSubscription((await aTenant(database.orm.em)).session);
    await aPayingSubscription(await aPricingModel(session));
    const { data } = await graphql(totalsQuery);
    expect(data.organizationRevenue.totals).toEqual([nothing]);
  });

  test('a thousand buckets are answered, at either end of time too', async ({ graphql }) => {
    const day = 86_400_000;
    for (const [from, to, interval, count] of [
      [0, 1_000 * day, 'day', 1_000],
      ['0001-01-01', '0001-02-01', 'week', 5],
      ['9999-12-01', '9999-12-31T23:59:59.999Z', 'month', 1],
    ]) {
      const { data, errors } = await graphql(query, { from, to, interval });
      expect(errors).toBeUndefined();
      expect(data.organizationRevenue.buckets).toHaveLength(Number(count));
    }
  });

  test.for([
    [{ from: 1, to: 1 }, 'to'],
    [{ from: 2, to: 1 }, 'to'],
    [{ from: 0, to: 1_000 * 86_400_000 + 1 }, 'interval'],
    [{ from: '0001-01-01', to: '9999-12-31' }, 'interval'],
  ] as const)('400 for %j', async ([time, field], { graphql }) => {
    for (const document of [query, query.replace(/buckets \{.*\}/, 'totals { mrr }')]) {
      const { errors } = await graphql(document, { interval: 'day', ...time });
      expect(errors[0].extensions).toMatchObject({
        code: 'BAD_REQUEST',
        issues: [{ path: [field] }],
      });
    }
  });

  test('403 for a publishable key', async ({ session, gateway }) => {
    const publishable = graphqlOf(gateway, await aKey(session, 'publishable'));
    const { errors } = await publishable(totalsQuery);
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
  });
});

test('revenueChanged shows the present totals, and then each change, at most once a second', async ({
  gateway,
  hub,
  tenant: { session, key },
  api,
}) => {
  await using server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
  const client = createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: key },
  });
  const began = Date.now();
  const seen: Record<string, unknown>[][] = [];
  const changes = client.iterate<{ revenueChanged: Record<string, unknown>[] }>({
    query: `subscription { revenueChanged ${now} }`,
  });
  const next = async () => {
    const { value } = await changes.next();
    seen.push(value?.data?.revenueChanged);
    return seen.at(-1);
  };
  /** Until the totals are these, however many steps they take there. */
  const until = async (totals: Record<string, unknown>) => {
    const wanted = JSON.stringify([{ ...nothing, ...totals }]);
    for (let shown = await next(); JSON.stringify(shown) !== wanted; ) shown = await next();
  };
  expect(await next()).toEqual([nothing]);
  for (let count = 0; count < 5; count++) await aPaidInvoice(session);
  await until({ paid: 5_000 });
  const [{ id }] = (await api('GET', '/payments')).body.data;
  await api('POST', `/payments/${id}/refund`, { partialAmount: 1 });
  await until({ paid: 5_000, refunded: 1 });
  const { id: open } = await anOpenInvoice(session);
  await until({ paid: 5_000, refunded: 1, outstanding: 1_000 });
  await api('POST', `/invoices/${open}/void`);
  await until({ paid: 5_000, refunded: 1 });
  await aPayingSubscription(session);
  await until({ mrr: 3_000, activeSubscriptions: 1, paid: 8_000, refunded: 1 });
  // Some may arrive late, and so close to the next: what counts is how many there have been.
  expect(seen.length).toBeLessThanOrEqual(1 + (Date.now() - began) / 1_000);
  await changes.return?.();
  await client.dispose();
});
