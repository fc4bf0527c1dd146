import { expect } from 'vitest';
import { test } from '../../support/test.ts';
import { advance } from '../../support/timeline.ts';
import { aMeteredSubscription } from '../../support/usage.ts';

test('usage is counted against credits at once, and what goes beyond them is billed at the end of the period', async ({
  session,
  api,
  graphql,
}) => {
  const { id, clockId, slug, customerId } = await aMeteredSubscription(session, { credits: 100 });
  const customer = await graphql(`query($id: ID!) { customer(id: $id) { externalId } }`, {
    id: customerId,
  });
  const { externalId } = customer.data.customer;
  const event = (transactionId: string, amount: number) => ({
    subscriptionId: id,
    usageMeterSlug: slug,
    transactionId,
    amount,
  });
  const balance = async () =>
    (await api('GET', `/customers/${externalId}/usage-balances`)).body.usageMeterBalances[0]
      ?.availableBalance;
  expect(await balance()).toBe(100);
  for (const [place, amount] of [10, 20, 0.5].entries()) {
    const answer = await api('POST', '/usage-events', { usageEvent: event(`t${place}`, amount) });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.usageEvent).toMatchObject({ amount, transactionId: `t${place}` });
  }
  expect(await balance()).toBe(69.5);
  const bulk = { usageEvents: [event('b1', 30), event('b2', 50), event('b1', 30)] };
  const first = await api('POST', '/usage-events/bulk', bulk);
  expect(first.status, JSON.stringify(first.body)).toBe(200);
  expect(first.headers.get('usage-duplicates')).toBe('1');
  expect(first.body.usageEvents).toHaveLength(2);
  expect(await balance()).toBe(-10.5);
  const second = await api('POST', '/usage-events/bulk', bulk, {
    headers: { prefer: 'return=all' },
  });
  expect(second.headers.get('usage-duplicates')).toBe('3');
  expect(second.body.usageEvents).toHaveLength(3);
  expect(await balance()).toBe(-10.5);
  await advance(session, clockId, '2026-03-01');
  const {
    body: { data: invoices },
  } = await api('GET', '/invoices?limit=100');
  expect(invoices.map(({ subtotal, status }: any) => [subtotal, status])).toEqual([
    [1000, 'paid'],
    [1002, 'paid'],
  ]);
  const lines = await api('GET', '/invoice-line-items?limit=100');
  expect(
    lines.body.data.map(({ description, quantity, price }: any) => ({
      description,
      quantity,
      price,
    })),
  ).toMatchInlineSnapshot(`
    [
      {
        "description": "Pro",
        "price": 1000,
        "quantity": 1,
      },
      {
        "description": "Usage: API calls at $0.02 per 10",
        "price": 2,
        "quantity": 1.05,
      },
      {
        "description": "Pro",
        "price": 1000,
        "quantity": 1,
      },
    ]
  `);
  expect(await balance()).toBe(100);
  const explained = await graphql(
    `query($id: ID!) { explainInvoice(id: $id) { verified differences lines { steps sources } } }`,
    { id: invoices[1].id },
  );
  expect(explained).toMatchInlineSnapshot(`
    {
      "data": {
        "explainInvoice": {
          "differences": [],
          "lines": [
            {
              "sources": [
                "billing_period_uMxuNwTPHfAf60F2TURB9",
                "billing_period_item_1hAmjVcxS8GRdODzcEjHy",
                "si_9yffAbqhkcSroiqKQinbz",
                "price_01Y1F4hYbNldtFO5fBJ7h",
              ],
              "steps": [
                "for 2026-02-28T10:00:00.000Z to 2026-03-31T10:00:00.000Z",
                "1000 × 1 = 1000",
              ],
            },
            {
              "sources": [
                "la_N881RjoEWoJHhAnt3xOn5",
                "billing_period_hYh4ezdHwwWqoPgSkEJC6",
                "price_QRNRPm57qs2RM9GqhyWLF",
              ],
              "steps": [
                "2026-01-31T10:00:00.000Z to 2026-02-28T10:00:00.000Z: 5 events, 110.5 used, 100 covered by credits: 10.5",
                "10.5 ÷ 10 × 2, rounded half up = 2",
              ],
            },
          ],
          "verified": true,
        },
      },
    }
  `);
  const ledger = await graphql(
    `{ ledgerTransactions(first: 50) { nodes { type usage credits overage granted expired billed } } }`,
  );
  expect(ledger.data.ledgerTransactions.nodes).toMatchInlineSnapshot(`
    [
      {
        "billed": 0,
        "credits": 100,
        "expired": 0,
        "granted": -100,
        "overage": 0,
        "type": "credit_granted",
        "usage": 0,
      },
      {
        "billed": 0,
        "credits": -0.5,
        "expired": 0,
        "granted": 0,
        "overage": 0,
        "type": "usage_recorded",
        "usage": 0.5,
      },
      {
        "billed": 0,
        "credits": -10,
        "expired": 0,
        "granted": 0,
        "overage": 0,
        "type": "usage_recorded",
        "usage": 10,
      },
      {
        "billed": 0,
        "credits": -20,
        "expired": 0,
        "granted": 0,
        "overage": 0,
        "type": "usage_recorded",
        "usage": 20,
      },
      {
        "billed": 0,
        "credits": -69.5,
        "expired": 0,
        "granted": 0,
        "overage": -10.5,
        "type": "usage_recorded",
        "usage": 80,
      },
      {
        "billed": 0,
        "credits": 100,
        "expired": 0,
        "granted": -100,
        "overage": 0,
        "type": "credit_granted",
        "usage": 0,
      },
      {
        "billed": -10.5,
        "credits": 0,
        "expired": 0,
        "granted": 0,
        "overage": 10.5,
        "type": "usage_billed",
        "usage": 0,
      },
    ]
  `);
});
