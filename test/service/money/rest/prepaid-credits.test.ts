import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { PrepaidTopUp } from '#domain/model/money/prepaid-top-up.ts';
import { fresh } from '../../../support/factories.ts';
import { aPayer, aPrepaidCredit, aPrepaidTopUp, creditsOf } from '../../../support/prepaid.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const dry = { headers: { prefer: 'dry-run' } };
const keyed = { headers: { 'idempotency-key': 'prepaid-1' } };
const terms = { threshold: 100, amount: 500, mostPerMonth: 2_000 };

const countsOf = async (session: Session) => {
  const { em } = fresh(session);
  return [await em.count(PrepaidCredit, {}), await em.count(PrepaidTopUp, {})];
};

test('404 for prepaid credits and top-ups that are unknown, or of another organization', async ({
  api,
  database,
}) => {
  const { session } = await aTenant(database.orm.em);
  const { customerId } = await aPayer(session);
  const credit = await aPrepaidCredit(session, customerId, { amount: 100 });
  const topUp = await aPrepaidTopUp(session, customerId);
  for (const id of [credit.id, 'prepaid_credit_x']) {
    expect((await api('GET', `/prepaid-credits/${id}`)).status).toBe(404);
    expect(await api('POST', `/prepaid-credits/${id}/revoke`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', message: `PrepaidCredit ${id} not found` },
    });
  }
  for (const id of [topUp.id, 'prepaid_top_up_x']) {
    expect((await api('GET', `/prepaid-top-ups/${id}`)).status).toBe(404);
    const change = { prepaidTopUp: { amount: 600 } };
    expect(await api('PUT', `/prepaid-top-ups/${id}`, change)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', message: `PrepaidTopUp ${id} not found` },
    });
  }
  for (const path of ['/prepaid-credits', '/prepaid-top-ups']) {
    expect((await api('GET', path)).body.data).toEqual([]);
  }
  expect(await creditsOf(session, customerId)).toEqual(['gift 100: 100 left']);
});

test('a repeat under one key buys and charges once', async ({ api, session }) => {
  const { customerId } = await aPayer(session);
  const order = { prepaidCredit: { customerId, source: 'purchase', amount: 500 } };
  const answers = [
    await api('POST', '/prepaid-credits', order, keyed),
    await api('POST', '/prepaid-credits', order, keyed),
  ];
  const [first, repeat] = answers.map(({ body }) => body);
  expect(first.prepaidCredit).toMatchObject({ status: 'active', remaining: 500 });
  expect(repeat).toEqual(first);
  expect((await api('GET', '/payments')).body.data).toMatchObject([{ amount: 500 }]);
  expect(await creditsOf(session, customerId)).toEqual(['purchase 500: 500 left']);
  const other = { prepaidCredit: { ...order.prepaidCredit, amount: 600 } };
  expect((await api('POST', '/prepaid-credits', other, keyed)).status).toBe(400);
});

test('a repeat under one key adds one top-up', async ({ api, session }) => {
  const { customerId } = await aPayer(session);
  const wanted = { prepaidTopUp: { customerId, ...terms } };
  const first = await api('POST', '/prepaid-top-ups', wanted, keyed);
  const repeat = await api('POST', '/prepaid-top-ups', wanted, keyed);
  expect(first.status).toBe(200);
  expect(repeat.body).toEqual(first.body);
  expect(await countsOf(session)).toEqual([0, 1]);
});

test('a dry run states the effects of each command, and changes nothing', async ({
  api,
  session,
}) => {
  const { customerId } = await aPayer(session);
  const gift = await aPrepaidCredit(session, customerId, { amount: 100 });
  const topUp = await aPrepaidTopUp(session, customerId, { threshold: 10 });
  const eventsOf = async (method: string, path: string, body?: object) => {
    const answer = await api(method, path, body, dry);
    expect(answer.status).toBe(200);
    return answer.body.effects.events.map(({ type }: { type: string }) => type);
  };
  const order = { prepaidCredit: { customerId, source: 'purchase', amount: 500 } };
  const bought = await eventsOf('POST', '/prepaid-credits', order);
  expect(bought).toContain('prepaid_credit.created');
  expect(bought).toContain('payment.created');
  expect(await eventsOf('POST', `/prepaid-credits/${gift.id}/revoke`)).toContain(
    'prepaid_credit.revoked',
  );
  const change = { prepaidTopUp: { amount: 600 } };
  expect(await eventsOf('PUT', `/prepaid-top-ups/${topUp.id}`, change)).toEqual([
    'prepaid_top_up.updated',
  ]);
  const { customerId: another } = await aPayer(session);
  expect(
    await eventsOf('POST', '/prepaid-top-ups', { prepaidTopUp: { customerId: another, ...terms } }),
  ).toContain('prepaid_top_up.created');
  expect(await creditsOf(session, customerId)).toEqual(['gift 100: 100 left']);
  expect(await countsOf(session)).toEqual([1, 1]);
  expect((await api('GET', '/payments')).body.data).toEqual([]);
});

test('an invoice states what prepaid credit has paid of it', async ({ api, session }) => {
  const { customerId } = await aPayer(session);
  await aPrepaidCredit(session, customerId, { amount: 300 });
  const draft = {
    invoice: { customerId },
    invoiceLineItems: [{ description: 'Work', quantity: 1, price: 1_000 }],
  };
  const all = { headers: { prefer: 'include=all' } };
  const { invoice } = (await api('POST', '/invoices', draft, all)).body;
  expect(invoice.prepaidApplied).toBe(0);
  await api('POST', `/invoices/${invoice.id}/finalize`);
  const read = await api('GET', `/invoices/${invoice.id}`, undefined, all);
  expect(read.body.invoice).toMatchObject({ status: 'open', prepaidApplied: 300 });
});
