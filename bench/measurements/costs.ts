import { setTimeout as sleep } from 'node:timers/promises';
import { readLog } from '../costs/log.ts';
import { type Operation, operations } from '../costs/operations.ts';
import { clientOf, openShop, type Shop } from '../costs/shop.ts';
import { startWire } from '../costs/wire.ts';
import { startMeasuredDatabase } from '../running/database.ts';
import { freePort, startProgram } from '../running/processes.ts';
import { processorTimeOf, statOf, ticks } from '../running/processor-time.ts';
import { settingsOf } from '../running/service.ts';

/** Acts that are not counted, in which processes and plans become warm, and those that are counted. */
const warm = 30;
const counted = 40;
/** After this pause the background work of an act has ended. */
const followMilliseconds = 400;

/**
 * Counts the costs of each operation with its background work: figures that do not depend on the machine, and the
 * processor time of the service and of the database. The service runs without its jobs. Names of operations, or parts of
 * them, choose among them.
 */
export async function costs() {
  await using opened = new AsyncDisposableStack();
  const { databaseUrl } = opened.use(await startMeasuredDatabase());
  const wire = opened.use(await startWire(databaseUrl));
  const [port, allocationsPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const settings = settingsOf(wire.databaseUrl);
  const environment = {
    ...settings,
    PORT: String(port),
    ALLOCATIONS_PORT: String(allocationsPort),
    NODE_OPTIONS: `--import=${new URL('../costs/allocations.ts', import.meta.url).href}`,
  };
  const { pid } = opened.use(await startProgram('src/main.ts', [], environment, `${url}/ready`));
  const log = opened.use(await readLog(databaseUrl));
  const ofDatabase = await processorTimeOf(databaseUrl);
  const shop = await openShop(clientOf(fetch, url, settings.BOOTSTRAP_SECRET_KEY ?? ''));
  const allocated = async () =>
    Number(await (await fetch(`http://127.0.0.1:${allocationsPort}`)).text());
  const processorTime = () => ({
    service: (statOf(pid)?.own ?? 0) / ticks,
    database: ofDatabase(),
  });
  const chosen = process.argv.slice(3).filter((text) => !text.startsWith('--'));
  const isChosen = ({ name }: Operation) =>
    chosen.length === 0 || chosen.some((part) => name.includes(part));

  await idle();
  for (const operation of operations.filter(isChosen)) await measure(operation, shop);

  async function measure(operation: Operation, shop: Shop) {
    const acts: (() => Promise<unknown>)[] = [];
    for (let act = 0; act < warm + counted; act++) acts.push(await operation.prepare(shop));
    for (const act of acts.slice(0, warm)) await act();
    await sleep(followMilliseconds);
    await reset();
    const before = processorTime();
    for (const act of acts.slice(warm)) await act();
    await sleep(followMilliseconds);
    const after = processorTime();
    const kilobytes = (await allocated()) / 1_024;
    const { statements, roundTrips, transactions } = wire.take();
    const { records, bytes, rows, indexEntries } = await log.take();
    const each = (sum: number, digits = 0) =>
      (sum / counted).toLocaleString('en', { maximumFractionDigits: digits });
    const milliseconds = (side: 'service' | 'database') =>
      each((after[side] - before[side]) * 1_000, 1);
    write(
      `${operation.name.padEnd(24)}  ${each(statements)} statements  ${each(roundTrips)} trips  ${each(transactions, 1)} transactions  ${each(rows)} rows  ${each(indexEntries)} entries  ${each(records)} records  ${each(bytes)} bytes  ${each(kilobytes)} KB  ${milliseconds('service')} ms.Node  ${milliseconds('database')} ms.PostgreSQL`,
    );
  }

  async function reset() {
    wire.take();
    wire.takeTexts();
    await log.take();
    await allocated();
  }

  /** Counts the transactions of a second without requests and jobs. */
  async function idle() {
    const seconds = 5;
    await sleep(2_000);
    await reset();
    await sleep(seconds * 1_000);
    const { transactions } = wire.take();
    write(`${'idle'.padEnd(24)}  ${(transactions / seconds).toFixed(1)} transactions/s`);
  }
}

const write = (line: string) => process.stdout.write(`${line}\n`);
