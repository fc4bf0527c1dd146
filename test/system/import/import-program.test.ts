import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { preparedUrl } from '../../support/database.ts';
import { dataFolder, runToEnd, spawnProgram } from '../../support/process.ts';
import { runHere } from '../../support/run-here.ts';

const day = 86_400;

test('The program reports what it has created', async () => {
  const folder = await dataFolder();
  const customer = { id: 'cus_fake1', name: 'Customer', email: 'customer@example.com' };
  await writeFile(join(folder, 'customers.json'), JSON.stringify([customer]));
  const settings = { DATABASE_URL: await preparedUrl(), DATA_DIR: folder };
  const ended = await runHere(['import', folder, '--apply'], settings);
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('customer: 1 created') });
});

test('The program fails where a field that changes what is charged is left out, and not for a note', async () => {
  const folder = await dataFolder();
  const settings = { DATABASE_URL: await preparedUrl(), DATA_DIR: folder };
  const customer = { id: 'cus_fake1', name: 'Customer', email: 'customer@example.com' };
  const run = async (more: object) => {
    await writeFile(join(folder, 'customers.json'), JSON.stringify([{ ...customer, ...more }]));
    return runHere(['import', folder], settings);
  };
  expect(await run({ balance: 100, currency: 'usd' })).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('- customer cus_fake1: balance is not carried over'),
  });
  expect(await run({ invoice_settings: { footer: 'Thank you' } })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('! customer cus_fake1: invoice_settings.footer'),
  });
});

test('An import that is killed is completed by its repetition, and imports nothing twice', async () => {
  const folder = await dataFolder();
  const count = 600;
  await writeExport(folder, count);
  const url = await preparedUrl();
  const settings = { DATABASE_URL: url, DATA_DIR: folder };
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  onTestFinished(() => database.end());
  const counted = async (table: string) =>
    (await database.query(`select count(*)::int as count from ${table}`)).rows[0].count as number;

  const killed = spawnProgram(['src/tollgate.ts', 'import', folder, '--apply'], settings);
  while ((await counted('customer')) === 0) await sleep(5);
  killed.kill('SIGKILL');
  await killed.ended();
  const before = await counted('customer');
  expect(before).toBeLessThan(count);

  const { code, stdout } = await runToEnd(
    ['src/tollgate.ts', 'import', folder, '--apply'],
    settings,
  );
  expect(stdout).toContain(`customers: ${count - before} created, ${before} here already`);
  expect(stdout).toContain(`subscriptions: ${count - before} created, ${before} here already`);
  expect(code).toBe(0);
  expect(await counted('customer')).toBe(count);
  expect(await counted('payment_method')).toBe(count / 2);
  // Each of them was created with its subscription, and without a free plan before it.
  expect(await counted('subscription')).toBe(count);
  expect(await counted('subscription where external_id is not null')).toBe(count);
  expect(await counted('invoice')).toBe(0);
});

async function writeExport(folder: string, count: number) {
  const begun = Math.floor(Date.now() / 1_000) - 3 * day;
  const numbers = Array.from({ length: count }, (_, n) => n);
  const files = {
    'products.json': [{ id: 'prod_pro', name: 'Pro', default_price: 'price_weekly' }],
    'prices.json': [
      {
        id: 'price_weekly',
        product: 'prod_pro',
        currency: 'usd',
        type: 'recurring',
        unit_amount: 2_000,
        recurring: { interval: 'week' },
      },
    ],
    'customers.json': numbers.map((n) => ({
      id: `cus_fake${n}`,
      name: `Customer ${n}`,
      email: `customer${n}@example.com`,
    })),
    'payment_methods.json': numbers
      .filter((n) => n % 2 === 0)
      .map((n) => ({ id: `pm_fake${n}`, customer: `cus_fake${n}`, type: 'card' })),
    'subscriptions.json': numbers.map((n) => ({
      id: `sub_fake${n}`,
      customer: `cus_fake${n}`,
      status: 'active',
      billing_cycle_anchor: begun,
      current_period_start: begun,
      current_period_end: begun + 7 * day,
      items: { data: [{ price: 'price_weekly' }] },
    })),
  };
  for (const [name, list] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(list));
}
