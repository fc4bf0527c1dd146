import { readFile, writeFile } from 'node:fs/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { expect, onTestFinished } from 'vitest';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { connect } from '#server/database/database.ts';
import { openEventHub } from '#server/feed/event-hub.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { type ExactCosts, exactCostsOf } from '../../../bench/costs/exact.ts';
import { readLog } from '../../../bench/costs/log.ts';
import { operations } from '../../../bench/costs/operations.ts';
import { clientOf, openShop } from '../../../bench/costs/shop.ts';
import { startWire } from '../../../bench/costs/wire.ts';
import { cloneDatabase } from '../../support/database.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('it counts what one organization asks of the database');

const file = new URL('../../../bench/costs/exact.json', import.meta.url);
const measuredActs = 5;
/** The sizes of numbers and ids differ a little, and so do the pages that rows get to. */
const bytesOff = (bytes: number) => Math.max(500, 0.05 * bytes);
/** An answer may arrive before the statement that follows it has left, which then waits by itself. */
const tripsOff = (trips: number) => Math.max(1, 0.03 * trips);
/** `UPDATE_COSTS=1` writes the present costs: a change that makes one dearer says why. */
// biome-ignore lint/style/noProcessEnv: a test is asked to write its expectations by the environment
const writes = process.env.UPDATE_COSTS === '1';

test('no operation costs more statements, round trips, transactions or bytes of the log than the table states', async ({
  database,
  tenant,
}) => {
  const opened = new AsyncDisposableStack();
  onTestFinished(() => opened.disposeAsync());
  await leaveRoomForChanges(database.orm.em.fork());
  const wire = opened.use(await startWire(database.databaseUrl));
  const log = opened.use(await readLog(database.databaseUrl));
  const orm = await connect({ databaseUrl: wire.databaseUrl, poolSize: 5 });
  opened.defer(() => orm.close(true));
  // The feed of another database: here events get their numbers when the test asks for it.
  const other = opened.use(await cloneDatabase());
  const hub = opened.use(await openEventHub(other.orm, other.databaseUrl, createLogger('silent')));
  const gateway = createGateway({
    orm,
    hub,
    logger: createLogger('error'),
    production: false,
    operationTimeLimitSeconds: 30,
  });
  const fetch = async (url: string, init: RequestInit) => gateway.fetch(url, init);
  const shop = await openShop(clientOf(fetch, 'http://test', tenant.key));
  const follow = () => sequenceEvents(database.orm.em.fork());
  const present: Record<string, ExactCosts> = {};
  for (const operation of operations) {
    // The first act reads what later ones know.
    await exactCostsOf(operation, shop, { wire, log, follow });
    const acts: ExactCosts[] = [];
    for (let act = 0; act < measuredActs; act++)
      acts.push(await exactCostsOf(operation, shop, { wire, log, follow }));
    // A page that splits, and a list of an index that is emptied, belong to no act.
    const least = (of: keyof ExactCosts) => Math.min(...acts.map((costs) => costs[of]));
    present[operation.name] = {
      statements: least('statements'),
      roundTrips: least('roundTrips'),
      transactions: least('transactions'),
      bytes: least('bytes'),
    };
  }
  if (writes) await writeFile(file, `${JSON.stringify(present, null, 2)}\n`);
  const known: Record<string, ExactCosts> = JSON.parse(await readFile(file, 'utf8'));
  const dearer = operations.flatMap(({ name, variesBy = 0 }) => {
    const [costs, before] = [present[name], known[name]];
    const mostOf = ({ bytes, roundTrips, ...exact }: ExactCosts): ExactCosts => ({
      bytes: bytes + bytesOff(bytes),
      roundTrips: roundTrips + variesBy + tripsOff(roundTrips),
      statements: exact.statements + variesBy,
      transactions: exact.transactions + variesBy,
    });
    const isDearer = (of: keyof ExactCosts) => !costs || !before || costs[of] > mostOf(before)[of];
    const all = ['statements', 'roundTrips', 'transactions', 'bytes'] as const;
    return all.some(isDearer) ? [{ name, costs, before }] : [];
  });
  expect(dearer).toEqual([]);
});

/** A changed row stays on its page, where the log has its difference. A full page would cost the whole row, by chance. */
async function leaveRoomForChanges(em: EntityManager) {
  const tables = await em.execute<{ name: string }[]>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace and not relispartition`,
  );
  for (const { name } of tables) await em.execute(`alter table ${name} set (fillfactor = 40)`);
}
