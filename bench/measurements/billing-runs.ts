import { readFileSync } from 'node:fs';
import pg from 'pg';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { connect } from '#server/database/database.ts';
import { bareSeconds } from '../baselines/bare-runs.ts';
import { addBilledCustomer, type Kind } from '../data/billed-customer.ts';
import { CustomerPattern } from '../data/copy-customer.ts';
import { countStatements } from '../running/count-statements.ts';
import { checkNightly } from '../running/nightly-checks.ts';
import { useSecrets } from '../running/own-secrets.ts';
import { startWorker } from '../running/processes.ts';
import { secretsKey } from '../running/secrets-key.ts';
import { startMeasuredService } from '../running/service.ts';

const [given] = process.argv.slice(3).filter((text) => /^\d+$/.test(text));
const sizes = given ? [Number(given)] : [200, 1_000];
const kinds: readonly Kind[] = given ? ['mixed'] : ['plain', 'mixed'];

/**
 * Billing runs in real time that are due at the same instant, all paid by `sandbox_success`: with a price only, and
 * with usage, credit and tax. The sweep runs in this process beside the service, which answers other requests. The
 * baseline is a bare `pg` loop that writes the same rows of one run in one transaction.
 */
export async function billingRuns() {
  await using opened = new AsyncDisposableStack();
  useSecrets();
  const { databaseUrl, url, key } = opened.use(await startMeasuredService());
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  opened.defer(() => database.end());
  const orm = await connect({ databaseUrl, poolSize: 20 });
  opened.defer(() => orm.close(true));
  const requests = opened.use(startWorker('bench/load/ordinary-requests.ts', [url, key]));
  const other = opened.use(startWorker('bench/load/second-sweep.ts', [databaseUrl, secretsKey]));
  for (const kind of kinds) {
    const customerId = await addBilledCustomer(orm, database, kind);
    const pattern = await CustomerPattern.of(database, customerId);
    await pattern.copy(100);
    await execute(100);
    const { rows } = await database.query(
      `select invoice_id from billing_run where customer_id like $1 limit 1`,
      [`${customerId}\\_%`],
    );
    const took: number[] = [];
    for (const size of sizes) {
      await pattern.copy(size);
      const statements = countStatements();
      const memory = residentMebibytes();
      let peak = memory;
      const watch = setInterval(() => {
        peak = Math.max(peak, residentMebibytes());
      }, 100);
      await requests.ask('');
      const began = performance.now();
      await execute(size);
      const seconds = (performance.now() - began) / 1_000;
      clearInterval(watch);
      took.push(seconds);
      const { p99, count } = await requests.ask<{ p99: number; count: number }>('');
      const each = statements.stop() / size;
      const most = Math.min(size, 1_000);
      const bare = (await bareSeconds(databaseUrl, rows[0].invoice_id, most)) * (size / most);
      const [ours, theirs] = [size / seconds, size / bare];
      process.stdout.write(
        `${kind} ${String(size).padStart(6)}   ${ours.toFixed(0).padStart(5)} runs/s   bare pg ${theirs.toFixed(0)} runs/s   ` +
          `ratio ${(ours / theirs).toFixed(2)}   ${each.toFixed(1)} statements a run   memory ${memory.toFixed(0)}, at most ${peak.toFixed(0)} MiB   p99 of ${count} other requests ${p99.toFixed(0)} ms\n`,
      );
    }
    const size = sizes.at(-1) ?? 0;
    await pattern.copy(size);
    const shared = performance.now();
    await execute(size, () => other.ask<number>(''));
    const rate = size / ((performance.now() - shared) / 1_000);
    process.stdout.write(
      `${kind} ${String(size).padStart(6)}, 2 processes   ${rate.toFixed(0)} runs/s\n`,
    );
    const [few = 1, many = 1] = took;
    if (took.length > 1)
      process.stdout.write(`growth ${(many / few).toFixed(1)} for 5 times as many (5 is linear)\n`);
  }
  await checkNightly(databaseUrl);

  /** Executes all due runs, beside another process if one is given, and requires one charge for each. */
  async function execute(expected: number, beside: () => Promise<number> = async () => 0) {
    const charged = async () =>
      (await database.query('select count(*)::int as count from sandbox_charge')).rows[0].count;
    const before = await charged();
    const failed = (error: unknown) => {
      throw error;
    };
    const [own, others] = await Promise.all([
      executeDueRuns(orm.em, new Date(), 'bench', failed),
      beside(),
    ]);
    if (own + others !== expected) throw new Error(`${own} and ${others} runs were due`);
    const made = (await charged()) - before;
    if (made !== expected) throw new Error(`${made} charges were made`);
    const { rows } = await database.query(
      `select count(*)::int as open from billing_run where status <> 'succeeded' and customer_id ~ '_\\d+_\\d+$'`,
    );
    if (rows[0].open > 0) throw new Error(`${rows[0].open} runs have not succeeded`);
  }
}

export const residentMebibytes = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1_024;
