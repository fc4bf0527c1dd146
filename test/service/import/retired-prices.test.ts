import { expect } from 'vitest';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import { imported } from '../../support/exports/import-files.ts';
import {
  aStripeCustomer,
  aStripeItem,
  aStripePhase,
  aStripePrice,
  aStripeProduct,
  aStripeSchedule,
  aStripeSubscription,
} from '../../support/exports/stripe-export.ts';
import { aTestClock, fresh } from '../../support/factories.ts';
import { test } from '../../support/test.ts';

const retired = { active: false };
const names = ['price', 'product', 'items', 'phase', 'within'] as const;
const itemsOf = {
  price: [aStripeItem('old')],
  product: [aStripeItem('gone')],
  items: [aStripeItem('plan'), aStripeItem('old')],
  phase: [aStripeItem('plan')],
  within: [aStripeItem('plan')],
};
const start = { phase: '2026-05-01T00:00:00Z', within: '2026-04-16T00:00:00Z' };

const files = {
  'products.json': [
    aStripeProduct('prod_plan', { default_price: 'plan' }),
    aStripeProduct('prod_gone', retired),
  ],
  'prices.json': [
    aStripePrice('plan', 2_000, { product: 'prod_plan' }),
    aStripePrice('old', 1_500, { product: 'prod_plan', ...retired }),
    aStripePrice('gone', 700, { product: 'prod_gone', ...retired }),
  ],
  'customers.json': names.map((name) => aStripeCustomer(name)),
  'subscriptions.json': names.map((name) =>
    aStripeSubscription(`sub_${name}`, name, itemsOf[name]),
  ),
  'subscription_schedules.json': (['phase', 'within'] as const).map((name) =>
    aStripeSchedule(`sched_${name}`, `sub_${name}`, [
      aStripePhase('2026-01-01T00:00:00Z', start[name], itemsOf[name]),
      aStripePhase(start[name], '2027-01-01T00:00:00Z', [
        { price: 'old', quantity: 2 },
        { price: 'gone', quantity: 1 },
      ]),
    ]),
  ),
};

test('subscriptions keep prices and products that are not sold any more, also in phases, and new ones do not get them', async ({
  session,
  graphql,
  api,
}) => {
  const clock = await aTestClock(session, new Date('2026-03-10T00:00:00Z'));
  const testClockId = clock.id;
  const planned = await imported(session, files, { testClockId, applies: false });
  expect(planned).toEqual([
    'products: 2 to create, 0 here already',
    'prices: 3 to create, 0 here already',
    'customers: 5 to create, 0 here already',
    'subscriptions: 5 to create, 0 here already',
    'phases: 2 to create, 0 here already',
  ]);
  expect(await imported(session, files, { testClockId })).toEqual(
    planned.map((line) => line.replace('to create', 'created')),
  );
  // Again, without the catalog: the prices are here.
  const again = { ...files, 'products.json': [], 'prices.json': [] };
  expect(await imported(session, again, { testClockId })).toEqual([
    'customers: 0 created, 5 here already',
    'subscriptions: 0 created, 5 here already',
  ]);
  const later = {
    'customers.json': [aStripeCustomer('late')],
    'subscriptions.json': [aStripeSubscription('sub_late', 'late', itemsOf.items)],
  };
  expect(await imported(session, later, { testClockId })).toEqual([
    'customer: 1 created, 0 here already',
    'subscription: 1 created, 0 here already',
  ]);
  await advanceTestClock(fresh(session), {
    id: clock.id,
    frozenTime: new Date('2026-05-02T00:00:00Z'),
  });
  const { data } = await graphql(
    `{ invoices(first: 50) { nodes { customer { externalId } subtotal invoiceDate } }
       subscriptionPhases { nodes { status problem } } }`,
  );
  const billed = new Map<string, number[]>();
  const byTime = (a: { invoiceDate: number }, b: { invoiceDate: number }) =>
    a.invoiceDate - b.invoiceDate;
  for (const { customer, subtotal } of data.invoices.nodes.toSorted(byTime))
    billed.set(customer.externalId, [...(billed.get(customer.externalId) ?? []), subtotal]);
  expect(Object.fromEntries(billed)).toEqual({
    price: [1_500, 1_500],
    product: [700, 700],
    items: [3_500, 3_500],
    late: [3_500, 3_500],
    phase: [2_000, 3_700],
    // With the change from 20.00 to 37.00 for the second half of April.
    within: [2_000, 4_550],
  });
  expect(data.subscriptionPhases.nodes).toEqual([
    { status: 'started', problem: null },
    { status: 'started', problem: null },
  ]);
  const other = { name: 'Other', email: 'other@example.com', externalId: 'other' };
  expect((await api('POST', '/customers', { customer: other })).status).toBe(200);
  for (const terms of [
    { priceSlug: 'old' },
    { priceSlug: 'gone' },
    { items: [{ priceSlug: 'old' }] },
    {
      priceSlug: 'plan',
      phases: [{ startsAt: Date.now() + 40 * 86_400_000, items: [{ priceSlug: 'old' }] }],
    },
  ]) {
    const refused = await api('POST', '/subscriptions', { customerExternalId: 'other', ...terms });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toMatch(/is retired|is of a product that is not active/);
  }
});
