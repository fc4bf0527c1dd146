import pg from 'pg';
import { foundOrganization } from '#domain/platform/commands/organizations/found-organization.ts';
import { connect } from '#server/database/database.ts';
import { storeLists } from '../data/stored-lists.ts';
import { useSecrets } from '../running/own-secrets.ts';
import { type MeasuredService, startMeasuredService } from '../running/service.ts';

const defaultRows = 1_000_000;
const smallRows = 10;
const rounds = 30;
const pagesEach = 2;

/** A list and its arguments; each runs as a page of 10 and the page after it. */
type Case = readonly [list: string, args: string];

const parts = [
  'e',
  'an',
  'er',
  'zo',
  'xq',
  'q',
  'ada',
  'zoe',
  'anders',
  'lovelace',
  '.example',
  'schmidt',
  'user-1f',
  'nothing',
];
const orders = ['created_at_asc', 'created_at_desc', 'name_asc', 'name_desc'];

const searches: readonly Case[] = orders.flatMap((order) =>
  parts.map((part) => ['customers', `where: { search: "${part}" }, orderBy: ${order}`] as const),
);

const sorted = (list: string, ...orders: readonly string[]): readonly Case[] =>
  orders.flatMap((order) => [
    [list, `orderBy: ${order}_asc`] as const,
    [list, `orderBy: ${order}_desc`] as const,
  ]);

const others: readonly Case[] = [
  ...sorted('customers', 'created_at', 'name', 'email', 'amount_owed'),
  ['customers', 'where: { owes: true }, orderBy: amount_owed_desc'],
  ['customers', 'where: { subscriptionStatus: { is: past_due } }'],
  ['customers', 'where: { createdAt: { from: "2026-01-01", to: "2026-02-01" } }'],
  ...sorted('subscriptions', 'created_at', 'current_billing_period_end', 'mrr'),
  ['subscriptions', 'where: { status: { in: [past_due, unpaid] } }'],
  ['subscriptions', 'where: { metadata: [{ key: "seat", value: 7 }] }'],
  ['subscriptions', 'where: { mrr: { min: 1 } }'],
  ['subscriptions', 'where: { mrr: { min: 99990 } }, orderBy: created_at_desc'],
  ['subscriptions', 'where: { mrr: { min: 99990 } }, orderBy: mrr_desc'],
  ['subscriptions', 'where: { mrr: { min: 50000, max: 50010 } }'],
  ['subscriptions', 'where: { mrr: { min: 100000 } }'],
  ...sorted('invoices', 'created_at', 'invoice_date', 'due_date', 'total', 'invoice_number'),
  ['invoices', 'where: { overdue: true }, orderBy: due_date_asc'],
  ['invoices', 'where: { overdue: true }, orderBy: total_desc'],
  ['invoices', 'where: { status: { in: [open, uncollectible] } }'],
  ['invoices', 'where: { total: { min: 99990 } }, orderBy: total_desc'],
  ['invoices', 'where: { search: "ff1" }'],
  ['invoices', 'where: { search: "00abcde" }'],
  ...sorted('payments', 'created_at', 'charge_date', 'amount'),
  ['payments', 'where: { status: { is: failed } }, orderBy: charge_date_desc'],
  ['payments', 'where: { failureCode: { is: "card_declined" } }'],
  ...sorted('usageEvents', 'created_at'),
  ['usageEvents', 'where: { transactionId: { is: "none" } }'],
  ['usageEvents', 'where: { properties: [{ key: "region", value: "eu" }] }'],
];

/** The duration of a list's page and of the page after it, over HTTP, in milliseconds. */
async function measure({ url }: Pick<MeasuredService, 'url'>, key: string, [list, args]: Case) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    let after: string | null = null;
    for (let page = 0; page < pagesEach; page++) {
      const query = `query ($after: String) { ${list}(first: 10, after: $after, ${args}) { nodes { id } pageInfo { hasNextPage endCursor } } }`;
      const started = performance.now();
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { after } }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: answers of many lists
      const { data, errors } = (await response.json()) as any;
      times.push(performance.now() - started);
      if (errors) throw new Error(`${list}(${args}): ${JSON.stringify(errors)}`);
      const { hasNextPage, endCursor } = data[list].pageInfo;
      if (!hasNextPage) break;
      after = endCursor;
    }
  }
  return times;
}

const quantile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0;

function print(name: string, times: readonly number[]) {
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
  process.stdout.write(`${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms\n`);
}

/** Creates a price, a second organization, and the rows of both. Returns the key of the second one. */
async function prepare({ url, key, databaseUrl }: MeasuredService, rows: number): Promise<string> {
  await fetch(`${url}/api/v1/products`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      product: { name: 'Pro', slug: 'pro' },
      price: { type: 'subscription', unitPrice: 100, intervalUnit: 'month' },
    }),
  });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const orm = await connect({ databaseUrl, poolSize: 1, statementTimeoutSeconds: 30 });
  try {
    const found = await pool.query('select id from pricing_model');
    const input = { name: 'Small', now: new Date(), currency: 'USD' };
    const { apiKey, token } = await foundOrganization(orm.em.fork(), input);
    await storeLists(pool, found.rows[0].id, rows);
    await storeLists(pool, apiKey.pricingModelId, smallRows);
    return token;
  } finally {
    await orm.close(true);
    await pool.end();
  }
}

/** Measures each list, each order and each search at a million rows of one organization. */
export async function lists() {
  const rows = Number(process.argv.slice(3).find((text) => /^\d+$/.test(text)) ?? defaultRows);
  useSecrets();
  await using service = await startMeasuredService();
  const small = await prepare(service, rows);
  await report(service, service.key, `${rows} rows`);
  await report(service, small, `${smallRows} rows, in the same tables`);
}

/** Prints the cost of each list for the organization of a key. */
export async function report(service: Pick<MeasuredService, 'url'>, key: string, title: string) {
  process.stdout.write(`\n${title}\n`);
  const all: number[] = [];
  for (const each of searches) {
    const times = await measure(service, key, each);
    all.push(...times);
    print(`${each[0]}(${each[1]})`, times);
  }
  print('all searches', all);
  for (const each of others) print(`${each[0]}(${each[1]})`, await measure(service, key, each));
}
