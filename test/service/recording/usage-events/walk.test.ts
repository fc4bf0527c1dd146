import { expect } from 'vitest';
import { Customer } from '#domain/model/platform/customer.ts';
import { fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { test } from '../../../support/test.ts';
import { advance } from '../../../support/timeline.ts';
import { aMeteredSubscription } from '../../../support/usage.ts';

test('usage is counted against credits at once, and what goes beyond them is billed at the end of the period', async ({
  session,
  api,
  graphql,
}) => {
  const { id, clockId, slug, customerId } = await aMeteredSubscription(session, { credits: 100 });
  const { externalId } = await fresh(session).em.findOneOrFail(Customer, customerId);
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
    const usageEvent = event(`t${place}`, amount);
    const { body } = await api('POST', '/usage-events', { usageEvent });
    expect(body.usageEvent).toMatchObject({ amount, transactionId: `t${place}` });
  }
  expect(await balance()).toBe(69.5);

  const bulk = { usageEvents: [event('b1', 30), event('b2', 50), event('b1', 30)] };
  const first = await api('POST', '/usage-events/bulk', bulk);
  expect(first.headers.get('usage-duplicates')).toBe('1');
  expect(first.body.usageEvents).toHaveLength(2);
  expect(await balance()).toBe(-10.5);
  const second = await api('POST', '/usage-events/bulk', bulk);
  expect(second.headers.get('usage-duplicates')).toBe('3');
  expect(second.body.usageEvents).toEqual([]);
  expect(await balance()).toBe(-10.5);

  await advance(session, clockId, '2026-03-01');
  const invoices = (await api('GET', '/invoices?limit=100')).body.data;
  const summary = invoices.map(({ subtotal, status }: Record<string, unknown>) => ({
    subtotal,
    status,
  }));
  expect(summary).toEqual([
    { subtotal: 1_000, status: 'paid' },
    { subtotal: 1_002, status: 'paid' },
  ]);
  const lines = (await api('GET', '/invoice-line-items?limit=100')).body.data;
  const usageLines = lines.filter(({ type }: { type: string }) => type === 'usage');
  expect(usageLines).toMatchObject([
    { description: 'Usage: API calls at $0.02 per 10', quantity: 1.05, price: 2 },
  ]);
  expect(await balance()).toBe(100);
  const explained = await graphql(
    'query($id: ID!) { explainInvoice(id: $id) { verified differences } }',
    { id: invoices[1].id },
  );
  expect(explained.data.explainInvoice).toEqual({ verified: true, differences: [] });

  const ledger = await graphql(
    '{ ledgerTransactions(first: 50) { nodes { type usage credits overage granted expired billed } } }',
  );
  const none = { usage: 0, credits: 0, overage: 0, granted: 0, expired: 0, billed: 0 };
  const granted = { ...none, type: 'credit_granted', credits: 100, granted: -100 };
  const recorded = { ...none, type: 'usage_recorded' };
  const { nodes } = ledger.data.ledgerTransactions;
  expect(nodes).toHaveLength(7);
  expect(nodes).toEqual(
    expect.arrayContaining([
      granted,
      { ...recorded, usage: 10, credits: -10 },
      { ...recorded, usage: 20, credits: -20 },
      { ...recorded, usage: 0.5, credits: -0.5 },
      { ...recorded, usage: 80, credits: -69.5, overage: -10.5 },
      { ...none, type: 'usage_billed', overage: 10.5, billed: -10.5 },
    ]),
  );
  await expectLedgersToAgree(session);
});
