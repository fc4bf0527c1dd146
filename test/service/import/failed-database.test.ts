import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { runImport } from '../../../src/tools/import/run-import.ts';
import { imported } from '../../support/exports/import-files.ts';
import { fresh } from '../../support/factories.ts';
import { cutConnections } from '../../support/servers/cuts.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('it changes the database');

test('an import whose connection is cut leaves no customer without its subscription', async ({
  session,
  graphql,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-import-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const now = Math.floor(Date.now() / 1_000);
  const item = { price: { id: 'price_weekly' }, quantity: 1 };
  const recurring = { interval: 'week', interval_count: 1 };
  const files = {
    'products.json': [{ id: 'prod_pro', name: 'Pro', default_price: 'price_weekly' }],
    'prices.json': [
      {
        id: 'price_weekly',
        product: 'prod_pro',
        currency: 'usd',
        type: 'recurring',
        recurring,
        unit_amount: 100,
      },
    ],
    'customers.json': [{ id: 'cus_1', name: 'One', email: 'one@example.com' }],
    'subscriptions.json': [
      {
        id: 'sub_1',
        customer: 'cus_1',
        status: 'active',
        billing_cycle_anchor: now - 86_400,
        current_period_start: now - 86_400,
        current_period_end: now + 6 * 86_400,
        items: { data: [item] },
      },
    ],
  };
  for (const [name, data] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify({ data }));
  const { organizationId, livemode, pricingModelId } = session;
  const actor = { type: 'system', id: 'import' } as const;
  const scope = { organizationId, livemode, pricingModelId, keyType: 'secret', actor } as const;
  const plan = { folder, from: 'stripe', applies: true, testClockId: undefined } as const;
  const run = async () => (await runImport(session.em, scope, plan)).lines(true);
  const when = `new.external_id = 'sub_1'`;
  await cutConnections(session, { table: 'subscription', when, which: 'n = 1' });
  const query =
    '{ customers { totalCount } subscriptions(where: { isFreePlan: false }) { totalCount } }';
  const { data } = await graphql(query);
  expect(data).toMatchObject({ customers: { totalCount: 0 }, subscriptions: { totalCount: 0 } });
  expect(await run()).toContain('customer: 1 created, 0 here already');
  expect(await run()).toContain('subscription: 0 created, 1 here already');
  const after = (await graphql(query)).data;
  expect(after).toMatchObject({ customers: { totalCount: 1 }, subscriptions: { totalCount: 1 } });
});

test('a record that a constraint of the database refuses is named, and the others are imported', async ({
  session,
  api,
}) => {
  await api('POST', '/products', {
    product: { name: 'base', slug: 'base' },
    price: { type: 'subscription', slug: 'base', unitPrice: 1_000, intervalUnit: 'month' },
  });
  const rules = [
    ['subscription', 'refused_subscription', `external_id <> 'sub_b'`],
    ['customer', 'refused_customer', `external_id <> 'c'`],
  ] as const;
  for (const [table, name, check] of rules) {
    await fresh(session).em.execute(
      `alter table ${table} add constraint ${name} check (${check}) not valid`,
    );
    onTestFinished(async () => {
      await fresh(session).em.execute(`alter table ${table} drop constraint ${name}`);
    });
  }
  const names = ['a', 'b', 'c', 'd'];
  const files = {
    'customers.csv': `external_id,name,email\n${names.map((name) => `${name},${name},${name}@example.com\n`).join('')}`,
    'subscriptions.csv': `external_id,customer_external_id,price_slug,start_date,backdate\n${names
      .map((name) => `sub_${name},${name},base,${new Date().toISOString().slice(0, 10)},charge\n`)
      .join('')}`,
  };
  const planned = await imported(session, files, { from: 'csv', applies: false });
  expect(planned).toEqual([
    'customers: 3 to create, 0 here already',
    'subscriptions: 2 to create, 0 here already',
    '- customer c: cannot be stored: the database refuses it by refused_customer',
    '- subscription sub_b: cannot be stored: the database refuses it by refused_subscription',
    '- subscription sub_c: customerExternalId Unknown customer c',
  ]);
  expect(await imported(session, files, { from: 'csv' })).toEqual(
    planned.map((line) => line.replace('to create', 'created')),
  );
});
