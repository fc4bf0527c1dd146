import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { bareInserts } from '../baselines/bare-usage.ts';
import { storeUsage } from '../data/stored-usage.ts';
import { lineTo } from '../load/line.ts';
import { checkNightly } from '../running/nightly-checks.ts';
import { type MeasuredService, startMeasuredService } from '../running/service.ts';

const subscriptions = 100;
const seconds = 5;
const stored = Number(process.argv.slice(3).find((text) => /^\d+$/.test(text)) ?? 5_000_000);

/**
 * Usage events over REST, in one run on one database. The baseline is a bare driver that inserts the same rows with
 * `unnest` and keeps no ledger. Then the same with millions of stored events, and with all events on one
 * subscription.
 */
export async function usage() {
  await using opened = new AsyncDisposableStack();
  const service = opened.use(await startMeasuredService());
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 8 });
  opened.defer(() => pool.end());
  const many = await subscribed(service, subscriptions);
  // A short first round, in which the process warms up.
  await bulk(service, many, 1_000, 2);
  await single(service, many, 2);

  const empty = await rounds(service, pool, many, 'few events stored');
  const [hot = ''] = await subscribed(service, 1);
  report('one hot subscription, bulk of 1,000', await bulk(service, [hot], 1_000), empty.bare);
  report('one hot subscription, single', await single(service, [hot]), empty.bare);
  await memory(service, many);
  const firstPage = await pageMilliseconds(service);
  const started = Date.now();
  await storeUsage(pool, stored);
  write(`(${stored} events stored in ${((Date.now() - started) / 1000).toFixed(0)} s)`);
  const full = await rounds(service, pool, many, `${stored} events stored`);
  const laterPage = await pageMilliseconds(service);
  write(`first page and total of GET /usage-events: ${firstPage} ms, then ${laterPage} ms`);
  for (const name of ['hundreds', 'thousands', 'singles'] as const) {
    write(`${name}: ${(full[name] / empty[name]).toFixed(2)} of the figure with few events`);
  }
  await checkNightly(service.databaseUrl);
}

async function rounds(service: MeasuredService, pool: pg.Pool, many: string[], title: string) {
  write(`\n${title}, ${many.length} subscriptions, ${seconds} s each`);
  const bare = await bareInserts(pool, seconds);
  report('bare unnest of 1,000, 8 connections', bare, bare);
  const hundreds = await bulk(service, many, 100);
  report('bulk of 100, 8 connections', hundreds, bare);
  const thousands = await bulk(service, many, 1_000);
  report('bulk of 1,000, 8 connections', thousands, bare);
  const singles = await single(service, many);
  report('single, 16 connections', singles, bare);
  return { bare, hundreds, thousands, singles };
}

/** The memory that a call of 10,000 events takes, and the part that is still in use later. */
async function memory(service: MeasuredService, ids: string[]) {
  const before = residentMebibytes(service.pid);
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMebibytes(service.pid));
  }, 10);
  const events = Array.from({ length: 10_000 }, () => usageEvent(ids));
  await using line = await lineTo(service, '/usage-events/bulk');
  await line.send(Buffer.from(`{"usageEvents":[${events.join(',')}]}`));
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  clearInterval(watch);
  const after = residentMebibytes(service.pid);
  write(
    `a call of 10,000 events: +${(peak - before).toFixed(0)} MiB of ${before.toFixed(0)} MiB, +${(after - before).toFixed(0)} MiB 5 s later`,
  );
}

const residentMebibytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

const write = (line: string) => process.stdout.write(`${line}\n`);

const report = (name: string, perSecond: number, bare: number) =>
  write(
    `${name.padEnd(36)} ${perSecond.toFixed(0).padStart(7)} events/s   ratio ${(perSecond / bare).toFixed(2)}`,
  );

/** The events a second that 8 connections record in bulk calls of a size. */
export const bulk = (
  service: MeasuredService,
  ids: readonly string[],
  size: number,
  time = seconds,
) =>
  load(service, '/usage-events/bulk', 8, time, size, () => {
    let body = '{"usageEvents":[';
    for (let place = 0; place < size; place++) body += (place ? ',' : '') + usageEvent(ids);
    return `${body}]}`;
  });

const single = (service: MeasuredService, ids: string[], time = seconds) =>
  load(service, '/usage-events', 16, time, 1, () => `{"usageEvent":${usageEvent(ids)}}`);

let count = 0;
/** The JSON of a new usage event of the next one of the subscriptions. */
export const usageEvent = (
  ids: readonly string[],
  slug = 'calls',
  properties = '{"region":"eu","status":200}',
) =>
  `{"subscriptionId":"${ids[count++ % ids.length]}","usageMeterSlug":"${slug}","amount":${(count % 7) + 1},"transactionId":"${randomUUID()}","properties":${properties}}`;

/** The address of a service and a secret key for it. */
export type Caller = Pick<MeasuredService, 'url' | 'key'>;

/** The events a second that a number of connections record. */
export async function load(
  service: Caller,
  path: string,
  connections: number,
  time: number,
  size: number,
  body: () => string,
): Promise<number> {
  const end = Date.now() + time * 1_000;
  const started = Date.now();
  let calls = 0;
  const connection = async () => {
    await using line = await lineTo(service, path);
    while (Date.now() < end) {
      await line.send(Buffer.from(body()));
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return (calls * size) / ((Date.now() - started) / 1_000);
}

export async function json(service: Caller, path: string, body?: unknown) {
  const answer = await fetch(`${service.url}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  // biome-ignore lint/suspicious/noExplicitAny: each endpoint answers in a shape of its own
  return (await answer.json()) as any;
}

let made = 0;

/** The ids of new subscriptions of as many customers, to a plan with a priced meter. */
export async function subscribed(service: Caller, count: number): Promise<string[]> {
  if (made === 0) {
    await json(service, '/usage-meters', {
      usageMeter: { name: 'Calls', slug: 'calls' },
      price: { unitPrice: 1, usageEventsPerUnit: 100 },
    });
  }
  const ids: string[] = [];
  for (let place = 0; place < count; place++) {
    const externalId = `customer-${++made}`;
    const customer = { email: 'a@example.com', name: 'Ada', externalId };
    await json(service, '/customers', { customer });
    const { currentSubscription } = await json(service, `/customers/${externalId}/billing`);
    ids.push(currentSubscription.id);
  }
  return ids;
}

async function pageMilliseconds(service: MeasuredService): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < 50; round++) {
    const started = performance.now();
    await json(service, '/usage-events?limit=10');
    times.push(performance.now() - started);
  }
  return (times.toSorted((a, b) => a - b)[25] as number).toFixed(1);
}
