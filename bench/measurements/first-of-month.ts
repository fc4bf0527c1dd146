import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connect } from '#server/database/database.ts';
import { bareSeconds } from '../baselines/bare-runs.ts';
import { addBilledCustomer } from '../data/billed-customer.ts';
import { CustomerPattern } from '../data/copy-customer.ts';
import { spreadOf } from '../running/figures.ts';
import { checkNightly } from '../running/nightly-checks.ts';
import { useSecrets } from '../running/own-secrets.ts';
import { startProgram, startWorker } from '../running/processes.ts';
import { settingsOf, startMeasuredService } from '../running/service.ts';

const [given] = process.argv.slice(3).filter((text) => /^\d+$/.test(text));
const size = given ? Number(given) : 100_000;
const isApart = process.argv.includes('apart');
const copiedAtOnce = 5_000;
const baseline = 1_000;
const parts = 10;
/** Counting many runs takes the database a while, so they are counted less often. */
const pauseMilliseconds = Math.max(250, size / 50);

/**
 * Billing runs with usage, credit and tax that are due at once, executed by the jobs of the service's own process, or
 * with the argument `apart` by those of `npm run cron`. The service answers other requests meanwhile. Prints the rate of
 * each tenth, the memory of the process that executes and the times of the requests. The baseline is that of billing runs, before the runs are due.
 */
export async function firstOfMonth() {
  await using opened = new AsyncDisposableStack();
  useSecrets();
  const service = opened.use(await startMeasuredService(1, { CRON: isApart ? 'off' : 'on' }));
  const { databaseUrl, url, key } = service;
  const jobs = () => startProgram('src/main.ts', ['cron'], settingsOf(databaseUrl), url);
  const { pid } = isApart ? opened.use(await jobs()) : service;
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  opened.defer(() => database.end());
  const write = (line: string) => process.stdout.write(`${line}\n`);
  const succeeded = async () => (await database.query(counts)).rows[0].executed as number;

  await addCustomers();
  // The customer of the pattern has runs of its own.
  const own = await succeeded();
  const executed = async () => (await succeeded()) - own;
  // The first runs warm the process up, and one of them is the pattern of the baseline.
  await makeDue(100);
  while ((await executed()) < 100) await sleep(1_000);
  const { rows } = await database.query(
    'select invoice_id from billing_run where status = $1 limit 1',
    ['succeeded'],
  );
  const bare = baseline / (await bareSeconds(databaseUrl, rows[0].invoice_id, baseline));
  const requests = opened.use(startWorker('bench/load/ordinary-requests.ts', [url, key]));
  await sleep(5_000);
  const before = await requests.ask<Times>('');
  write(
    `before: memory ${memory()} MiB, p99 of ${before.count} requests ${before.p99.toFixed(0)} ms`,
  );

  await makeDue(size);
  const first = 100;
  let done = first;
  while (done === first) {
    await sleep(50);
    done = await executed();
  }
  await requests.ask('');
  const [began, atBegin] = [performance.now(), done];
  const rates: number[] = [];
  const peaks: number[] = [];
  const waits: number[] = [];
  let peak = 0;
  let [since, from] = [began, done];
  while (done < size + first) {
    await sleep(pauseMilliseconds);
    done = await executed();
    peak = Math.max(peak, memory());
    if (done - from < size / parts && done < size + first) continue;
    const now = performance.now();
    const { p99, count } = await requests.ask<Times>('');
    const rate = ((done - from) / (now - since)) * 1_000;
    write(
      `${String(done - first).padStart(7)} executed   ${rate.toFixed(0)} runs/s   memory at most ${peak} MiB   p99 of ${count} requests ${p99.toFixed(0)} ms`,
    );
    rates.push(rate);
    peaks.push(peak);
    waits.push(p99);
    [since, from, peak] = [now, done, 0];
  }
  const ours = ((done - atBegin) / (performance.now() - began)) * 1_000;
  const spread = spreadOf(rates);
  write(
    `${size} runs   ${ours.toFixed(0)} runs/s   bare pg ${bare.toFixed(0)} runs/s   ratio ${(ours / bare).toFixed(2)}   ` +
      `tenths ${spread.least.toFixed(0)} to ${spread.most.toFixed(0)} runs/s   memory ${Math.min(...peaks)} to ${Math.max(...peaks)} MiB   p99 ${spreadOf(waits).median.toFixed(0)} ms (at most ${Math.max(...waits).toFixed(0)} ms)`,
  );
  await checkNightly(databaseUrl);

  async function addCustomers() {
    const orm = await connect({ databaseUrl, poolSize: 5 });
    try {
      const pattern = await CustomerPattern.of(
        database,
        await addBilledCustomer(orm, database, 'mixed'),
      );
      for (let count = 0; count < size + 100; count += copiedAtOnce) {
        await pattern.copy(Math.min(copiedAtOnce, size + 100 - count), { areDue: false });
      }
    } finally {
      await orm.close(true);
    }
  }

  /** Makes runs due; those of the pattern's copies wait. */
  async function makeDue(count: number) {
    await database.query(
      `update billing_run set due_at = now() where id in (
         select id from billing_run where due_at = 'infinity' limit $1)`,
      [count],
    );
  }

  function memory() {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
  }
}

interface Times {
  readonly p99: number;
  readonly count: number;
}

const counts = `select count(*)::int as executed from billing_run where status = 'succeeded' and due_at is null`;
