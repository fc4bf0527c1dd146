import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProduct } from '#domain/catalog/commands/products/create-product.ts';
import { openSession } from '#domain/kernel/session.ts';
import { connect, prepareDatabase } from '#server/database/database.ts';
import { type ImportPlan, runImport } from '../../src/tools/import/run-import.ts';
import { bareImport } from '../baselines/bare-import.ts';
import { aPlan } from '../data/due-subscriptions.ts';
import { writeExport } from '../data/export-files.ts';
import { startMeasuredDatabase } from '../running/database.ts';
import { checkNightly } from '../running/nightly-checks.ts';
import { useSecrets } from '../running/own-secrets.ts';
import { processorTimeOf } from '../running/processor-time.ts';

const [given] = process.argv.slice(3).filter((text) => /^\d+$/.test(text));
const size = given ? Number(given) : 5_000;
const warm = 200;

/**
 * The import of customers from CSV, each with a subscription and some with a payment method, a trial or two items: a dry
 * run, the import, and its repetition. The baseline is a bare `pg` program that inserts the rows that the import has
 * written. Prints the rates, the processor time of Node and of the database for each record, and the memory.
 */
export async function importing() {
  await using opened = new AsyncDisposableStack();
  const { databaseUrl } = opened.use(await startMeasuredDatabase());
  useSecrets();
  await prepareDatabase(databaseUrl, { now: new Date() });
  const orm = await connect({ databaseUrl, poolSize: 10 });
  opened.defer(() => orm.close());
  const { organizationId, pricingModelId } = await aPlan(orm);
  const tenant = { organizationId, pricingModelId, livemode: false, keyType: 'secret' } as const;
  for (const [slug, unitPrice] of [
    ['base', 1_000],
    ['seat', 300],
  ] as const) {
    await createProduct(openSession(orm.em, { ...tenant, now: new Date() }), {
      product: { name: slug, slug: `${slug}-product` },
      price: { type: 'subscription', slug, unitPrice, intervalUnit: 'month', intervalCount: 1 },
    });
  }
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-import-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const processorTime = await processorTimeOf(databaseUrl);
  const actor = { type: 'system', id: 'import' } as const;
  const run = (plan: Partial<ImportPlan>) =>
    runImport(
      orm.em.fork(),
      { ...tenant, actor },
      { folder, from: 'csv', applies: true, testClockId: undefined, ...plan },
    );

  await writeExport(folder, 'warm', warm);
  await run({});
  await writeExport(folder, 'own', size);
  process.stdout.write(`${size} customers, each with a subscription\n`);
  let rate = 0;
  for (const [name, applies] of [
    ['dry run', false],
    ['import', true],
    ['repetition', true],
  ] as const) {
    const before = mark();
    const report = await run({ applies });
    if (!report.isComplete) throw new Error(report.lines(applies).slice(0, 20).join('\n'));
    const ours = line(name, before, mark());
    if (name === 'import') rate = ours;
  }
  const bare = await bareImport(databaseUrl);
  const theirs = bare.customers / bare.seconds;
  process.stdout.write(
    `${'bare pg'.padEnd(12)} ${theirs.toFixed(0).padStart(7)} customers/s   ratio ${(rate / theirs).toFixed(2)}\n`,
  );
  await checkNightly(databaseUrl);

  function mark(): Mark {
    return { at: performance.now(), node: process.cpuUsage(), database: processorTime() };
  }

  function line(name: string, from: Mark, to: Mark) {
    const seconds = (to.at - from.at) / 1_000;
    const node = to.node.user + to.node.system - from.node.user - from.node.system;
    const each = (seconds: number) => ((1_000 * seconds) / size).toFixed(2);
    const memory = Math.round(process.memoryUsage().rss / 2 ** 20);
    process.stdout.write(
      `${name.padEnd(12)} ${(size / seconds).toFixed(0).padStart(7)} customers/s   ` +
        `${each(node / 1e6)} ms/each of Node   ${each(to.database - from.database)} ms/each of PostgreSQL   ` +
        `${seconds.toFixed(1)} s   ${memory} MiB\n`,
    );
    return size / seconds;
  }
}

interface Mark {
  readonly at: number;
  readonly node: NodeJS.CpuUsage;
  /** Seconds. */
  readonly database: number;
}
