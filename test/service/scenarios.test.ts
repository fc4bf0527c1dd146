// @module-tag long
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect, onTestFinished } from 'vitest';
import { exitCodeOf } from '../../src/tools/scenario/arguments.ts';
import { openServices } from '../../src/tools/scenario/open-services.ts';
import { readScenario } from '../../src/tools/scenario/read-scenario.ts';
import { runScenario } from '../../src/tools/scenario/run-scenario.ts';
import { cloneDatabase } from '../support/database.ts';
import { runHere } from '../support/run-here.ts';

const folder = join(import.meta.dirname, '../scenarios');
const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.yaml'));

const test = base.extend('run', { scope: 'file' }, async ({}, { onCleanup }) => {
  const opened = new AsyncDisposableStack();
  onCleanup(() => opened.disposeAsync());
  const database = opened.use(await cloneDatabase());
  const open = await openServices(opened, database.orm, database.databaseUrl);
  return async (source: string) => {
    const scenario = readScenario(source);
    return runScenario(scenario, await open(scenario), folder);
  };
});

test.for(files)('the scenario %s ends as it expects', async (file, { run }) => {
  expect(await run(await readFile(join(folder, file), 'utf8'))).toEqual([]);
});

const catalog = `
catalog:
  products:
    - product: {slug: pro, name: Pro, active: true}
      price: {type: subscription, slug: pro, isDefault: true, unitPrice: 2000, intervalUnit: month, intervalCount: 1}
      features: []`;
const begun = `name: Example${catalog}
steps:
  - createCustomer: {customer: {name: Ada, email: ada@example.com, externalId: ada}}
    as: ada
  - createPaymentMethod: {paymentMethod: {customerId: $ada, type: card, token: sandbox_success}}
  - createSubscription: {customerId: $ada, priceSlug: pro}
    as: plan
`;

test('each difference has its line, its path, and both values', async ({ run }) => {
  const found = await run(`${begun}  - expect:
      invoices:
        - {total: 2001, status: paid, invoiceDate: 2026-01-02, lineItems: [{price: 2000}, {price: 1}]}
      subscription: {of: {id: $plan}, is: {mrr: 2000, canceledAt: 2026-02-01, renews: true}}
      customers: {include: [{externalId: ada, archived: true}], count: 2}
`);
  expect(found.map(({ line, path, expected, actual }) => [line, path, expected, actual])).toEqual([
    [15, 'invoices[0].total', '2001', '2000'],
    [15, 'invoices[0].invoiceDate', "'2026-01-02'", "'2026-01-01T00:00:00.000Z'"],
    [15, 'invoices[0].lineItems', '2 records', '1 record: [ { price: 2000 } ]'],
    [16, 'subscription.canceledAt', "'2026-02-01'", 'null'],
    [
      17,
      'customers',
      "a record { externalId: 'ada', archived: true }",
      "1 record: [ { externalId: 'ada', archived: false } ]",
    ],
    [17, 'customers.count', '2', '1'],
  ]);
});

test('an action that is not refused as expected ends the scenario with its reason', async ({
  run,
}) => {
  const later = '  - expect: {customers: []}\n';
  const ended = async (step: string) => {
    const found = await run(`${begun}  - ${step}\n${later}`);
    expect(found).toHaveLength(1);
    return found[0];
  };
  expect(
    await ended('createCustomer: {customer: {name: B, email: none, externalId: b}}'),
  ).toMatchObject({
    line: 13,
    path: 'createCustomer',
    expected: 'success',
    actual: expect.stringContaining('customer.email must be an e-mail address'),
  });
  expect(
    await ended('archiveCustomer: {externalId: ada}\n    fails: {code: CONFLICT}'),
  ).toMatchObject({
    expected: 'a refusal: CONFLICT',
    actual: 'success',
  });
  expect(
    await ended('archiveCustomer: {externalId: bea}\n    fails: {code: CONFLICT}'),
  ).toMatchObject({
    expected: 'a refusal: CONFLICT',
    actual: expect.stringContaining('NOT_FOUND'),
  });
});

const step = (text: string) => `name: Example\nsteps:\n  - ${text}\n`;
const broken: readonly (readonly [
  problem: string,
  source: string,
  message: string,
  line?: number,
])[] = [
  ['is empty', '', 'name: is required', 1],
  ['is no YAML', 'name: [', 'Flow sequence', 1],
  [
    'has an unknown word',
    'name: A\nwhen: now\nsteps: [{advance: 2027-01-01}]',
    'must not have the field "when": its fields are',
    1,
  ],
  ['has no step', 'name: A\nsteps: []', 'steps: must have at least 1 item', 2],
  [
    'has a step of two actions',
    step('{advance: 2027-01-01, archiveCustomer: {}}'),
    'A step has one of',
    3,
  ],
  ['has an unknown action', step('createInvoce: {}'), 'There is no mutation createInvoce', 3],
  [
    'has an unknown argument',
    step('archiveCustomer: {id: x}'),
    'archiveCustomer has no argument id; its arguments are externalId',
    3,
  ],
  ['has an unknown query', step('expect: {invoice_list: []}'), 'There is no query invoice_list', 3],
  [
    'expects an unknown field',
    step('expect: {customers: [{mail: x}]}'),
    'Customer has no field mail; its fields are',
    3,
  ],
  [
    'refers to a later name',
    step('archiveCustomer: {externalId: $ada}'),
    'No step before this one has the name $ada; there are none',
    3,
  ],
  [
    'expects nothing of a query',
    step('expect: {customers: {of: {}}}'),
    'must have one of is, are, include and count',
    3,
  ],
  [
    'has a catalog that is refused',
    `name: A\ncatalog: {products: [{}]}\nsteps: [{advance: 2027-01-01}]`,
    'updatePricingModel',
  ],
];

test.for(broken)(
  'a file that %s is refused with its line',
  async ([, source, message, line], { run }) => {
    await expect(run(source)).rejects.toMatchObject({
      name: 'ScenarioError',
      message: expect.stringContaining(message),
      line,
    });
  },
);

test('the exit code is 2 for a file that cannot be executed, and 1 for a difference', () => {
  expect(exitCodeOf({ passed: 1, failed: 0, broken: 0 })).toBe(0);
  expect(exitCodeOf({ passed: 1, failed: 1, broken: 0 })).toBe(1);
  expect(exitCodeOf({ passed: 1, failed: 1, broken: 1 })).toBe(2);
});

test('the program executes the files of a folder in their order, and reports each', async () => {
  const own = await mkdtemp(join(tmpdir(), 'tollgate-scenarios-'));
  onTestFinished(() => rm(own, { recursive: true }));
  await writeFile(join(own, 'a.yaml'), step('expect: {customers: []}'));
  await writeFile(join(own, 'b.yml'), step('expect: {customers: [{name: Ada}]}'));
  await writeFile(join(own, 'c.yaml'), 'name: A');
  const { code, stdout: output } = await runHere(['scenario', own], {});
  expect(code).toBe(2);
  expect(output).toMatch(/^ok .*a\.yaml.*\nDIFFERS .*b\.yml[\s\S]*BROKEN .*c\.yaml/);
  expect(output).toContain('1 as expected, 1 with differences, 1 broken\n');
  const refused = await runHere(['scenario', 'none.yaml'], {});
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('There is no file or folder none.yaml');
});
