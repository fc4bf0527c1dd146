import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { recordUsageEvents } from '#domain/recording/present/record-usage-events.ts';
import { connect } from '#server/database/database.ts';
import { archiveUsageEventMonths } from '#server/history/archive-months.ts';
import { addMeteredCustomer, sessionAt } from '../data/metered-customer.ts';
import { storePeriod } from '../data/stored-period.ts';
import { useSecrets } from '../running/own-secrets.ts';
import { type MeasuredService, startMeasuredService } from '../running/service.ts';

const dayMilliseconds = 86_400_000;
const megabyte = 1_000_000;
const [given] = process.argv.slice(3).filter((text) => /^\d+$/.test(text));
const events = Number(given ?? 5_000_000);

/**
 * A month with millions of usage events of one subscription: its move to a file, and reads of the file through the
 * service. The events have few different properties, and their meter counts those.
 */
export async function history() {
  await using opened = new AsyncDisposableStack();
  useSecrets();
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-history-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const service = opened.use(await startMeasuredService(1, { HISTORY_DIR: folder }));
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 4 });
  opened.defer(() => pool.end());
  const orm = await connect({ databaseUrl: service.databaseUrl, poolSize: 5 });
  opened.defer(() => orm.close(true));
  const now = new Date();
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const of = await addMeteredCustomer(orm, 'history', 'count_distinct_properties', start);
  await recordUsageEvents(await sessionAt(orm, start), {
    usageEvents: [
      {
        subscriptionId: of.subscriptionId,
        usageMeterSlug: of.meterSlug,
        amount: '1',
        transactionId: 'first',
        usageDate: start,
        properties: { region: 'eu' },
      },
    ],
  } as never);
  await storePeriod(pool, of, events, false);
  const { rows } = await pool.query(
    `select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class where relname ~ '^usage_event_[0-9]{4}_[0-9]{2}$'`,
  );

  // The month is old for this process.
  const later = new Date(now.getTime() + 62 * dayMilliseconds);
  const before = await memoryOf(process.pid, 'VmRSS');
  await writeFile('/proc/self/clear_refs', '5');
  const began = performance.now();
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => void failures.push(error);
  const gone = await archiveUsageEventMonths(orm.em.fork(), later, 1, { folder, onFailure });
  if (failures.length > 0) throw failures[0];
  write(`${gone.join()}: ${events} events moved in ${secondsSince(began)} s`);
  const grown = (await memoryOf(process.pid, 'VmHWM')) - before;
  write(`at most ${grown} MB of memory more than before, in the process that moved them`);
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    name.endsWith('.parquet'),
  );
  let bytes = 0;
  for (const name of names) bytes += (await stat(join(folder, name))).size;
  write(
    `${(bytes / megabyte).toFixed(0)} MB in ${names.length} file, ${(rows[0].bytes / megabyte).toFixed(0)} MB in the table with its indexes`,
  );

  const list = `/usage-events?subscriptionId=${of.subscriptionId}`;
  const series = `query ($from: Timestamp!, $to: Timestamp!, $id: ID!) {
    usageOverTime(from: $from, to: $to, subscription: $id, interval: day) { points { usage events } } }`;
  const variables = { from: +start, to: +now, id: of.subscriptionId };
  const reads: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      'the first read of a page, which compares the SHA-256',
      () => rest(service, `${list}&limit=100`),
    ],
    ['a page of 100', () => rest(service, `${list}&limit=100`)],
    ['usage over time by day, of distinct properties', () => graph(service, series, variables)],
  ];
  for (const [name, read] of reads) {
    const began = performance.now();
    await read();
    write(`${name}: ${Math.round(performance.now() - began)} ms`);
  }
  const peak = await memoryOf(service.pid, 'VmHWM');
  write(`at most ${peak} MB of memory in the process that read them`);
}

const secondsSince = (began: number) => Math.round((performance.now() - began) / 1_000);

/** The present resident memory of a process, or the largest one, in MB. */
async function memoryOf(pid: number, kind: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = new RegExp(`${kind}:\\s+(\\d+)`).exec(status) ?? [];
  return Math.round((Number(kilobytes) * 1_024) / megabyte);
}

async function rest({ url, key }: MeasuredService, path: string) {
  const headers = { authorization: `Bearer ${key}` };
  return checked(await fetch(`${url}/api/v1${path}`, { headers }));
}

async function graph({ url, key }: MeasuredService, query: string, variables: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ query, variables });
  return checked(await fetch(`${url}/graphql`, { method: 'POST', headers, body }));
}

async function checked(answer: Response): Promise<void> {
  const text = await answer.text();
  if (!answer.ok || text.includes('"errors"')) throw new Error(text);
}

const write = (line: string) => process.stdout.write(`${line}\n`);
