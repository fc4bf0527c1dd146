import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { drainInbox } from '#domain/recording/inbox/drain-inbox.ts';
import { connect } from '#server/database/database.ts';
import { bareInserts } from '../baselines/bare-usage.ts';
import { lineTo } from '../load/line.ts';
import { checkNightly } from '../running/nightly-checks.ts';
import { type MeasuredService, startMeasuredService } from '../running/service.ts';
import { json, subscribed } from './usage.ts';

const seconds = 8;
const subscriptions = 100;
const digits = 12;
const path = '/usage-events/bulk';
const accepted = { status: 202, headers: 'prefer: respond-async\r\n' };

/**
 * Usage that is accepted before it is counted, in one run with the baseline of `usage`. Then how fast a process counts
 * it while nobody asks, as the job `count-usage` does, and a list right after an acceptance.
 */
export async function acceptedUsage() {
  await using opened = new AsyncDisposableStack();
  const service = opened.use(await startMeasuredService(2));
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 8 });
  opened.defer(() => pool.end());
  const ids = await subscribed(service, subscriptions);
  await accept(service, ids, 100, 3);
  const bare = await bareInserts(pool, seconds);
  report('bare unnest of 1,000, 8 connections', bare, bare);
  const one = { ...service, urls: [service.url] };
  report('in hundreds, 32 connections', await accept(one, ids, 100, seconds), bare);
  report('the same, two processes', await accept(service, ids, 100, seconds), bare);
  report(
    'accepted in thousands, 8 connections',
    await accept(service, ids, 1_000, seconds, 8),
    bare,
  );
  report('one by one, 64 connections', await accept(service, ids, 1, seconds, 64), bare);
  const [found] = (await pool.query('select sum(count)::int as waiting from usage_event_inbox'))
    .rows;
  write(`${found.waiting} events wait to be counted`);
  const orm = await connect({ databaseUrl: service.databaseUrl, poolSize: 4 });
  opened.defer(() => orm.close());
  for (const size of [100, 1_000]) {
    await pool.query('truncate usage_event_inbox');
    await accept(service, ids, size, 1, 8);
    report(`counted, of calls of ${size}`, await counted(orm), bare);
  }
  const body = bodyOf(ids, 100);
  await using line = await lineTo(service, path, accepted);
  const times: number[] = [];
  for (let round = 0; round < 50; round++) {
    await line.send(next(body));
    const started = performance.now();
    await json(service, '/usage-events?limit=1');
    times.push(performance.now() - started);
  }
  write(
    `a list right after 100 accepted events: ${(times.toSorted((a, b) => a - b)[25] as number).toFixed(1)} ms`,
  );
  await checkNightly(service.databaseUrl);
}

/** Counts all that waits. Returns the events that were counted in a second. */
async function counted(orm: MikroORM): Promise<number> {
  const started = performance.now();
  const events = await drainInbox(orm.em.fork(), new Date(), (error) => {
    throw error;
  });
  return events / ((performance.now() - started) / 1_000);
}

export type Accepting = MeasuredService & { readonly urls: readonly string[] };

/** Sends calls of `size` events for some seconds. Returns the events that were accepted in a second. */
export async function accept(
  service: Accepting,
  ids: readonly string[],
  size: number,
  time: number,
  connections = 32,
): Promise<number> {
  const started = Date.now();
  let calls = 0;
  const connection = async (_: unknown, place: number) => {
    const url = service.urls[place % service.urls.length] ?? service.url;
    await using line = await lineTo({ ...service, url }, path, accepted);
    const body = bodyOf(ids, size);
    while (Date.now() - started < time * 1_000) {
      await line.send(next(body));
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return (calls * size) / ((Date.now() - started) / 1_000);
}

/** A body whose transaction ids are written anew for each call, which costs the load little. */
interface Body {
  readonly bytes: Buffer;
  readonly places: readonly number[];
}

function bodyOf(ids: readonly string[], size: number): Body {
  const events = Array.from({ length: size }, (_, place) => eventOf(ids[place % ids.length] ?? ''));
  const bytes = Buffer.from(`{"usageEvents":[${events.join(',')}]}`);
  const places: number[] = [];
  for (let at = bytes.indexOf('tx-'); at >= 0; at = bytes.indexOf('tx-', at + 1))
    places.push(at + 3);
  return { bytes, places };
}

const eventOf = (id: string) =>
  `{"subscriptionId":"${id}","usageMeterSlug":"calls","amount":3,"transactionId":"tx-${'0'.repeat(digits)}","properties":{"region":"eu","status":200}}`;

let count = 0;
function next({ bytes, places }: Body): Buffer {
  for (const at of places) bytes.write(String(++count).padStart(digits, '0'), at, 'latin1');
  return bytes;
}

const write = (line: string) => process.stdout.write(`${line}\n`);

/** Prints a figure beside that of the baseline. */
export const report = (name: string, perSecond: number, bare: number) =>
  write(
    `${name.padEnd(38)} ${perSecond.toFixed(0).padStart(7)} events/s   ratio ${(perSecond / bare).toFixed(2)}`,
  );
