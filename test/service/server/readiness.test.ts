// @module-tag long
import { expect, onTestFinished } from 'vitest';
import { CheckedPool } from '#server/database/pool.ts';
import { watchReadiness } from '#server/health/readiness.ts';
import { createLogger } from '#server/observability/logger.ts';
import { startProxy } from '../../support/servers/proxy.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('it changes the database or its connections');

/** A contract: `/ready` is true within so long. */
const soon = { timeout: 5_000, interval: 50 };

/** The first answers belong to the connection and the first check. */
const busyAnswer = 10;

async function watched(databaseUrl: string, stuckSeconds = 60) {
  const proxy = await startProxy(databaseUrl);
  const pool = new CheckedPool({ connectionString: proxy.databaseUrl, max: 1 });
  let stuck = 0;
  const readiness = await watchReadiness({
    databaseUrl: proxy.databaseUrl,
    pool,
    logger: createLogger('silent'),
    stuckSeconds,
    onStuck: () => void stuck++,
  });
  onTestFinished(async () => {
    await readiness[Symbol.asyncDispose]();
    await pool.end();
    await proxy[Symbol.asyncDispose]();
  });
  return { proxy, pool, readiness, stuck: () => stuck };
}

test('readiness is true within five seconds when the network swallows everything, and when it is back', async ({
  database,
}) => {
  const { proxy, readiness } = await watched(database.databaseUrl);
  expect(readiness.status()).toBe('ready');
  proxy.swallowAll();
  await expect.poll(readiness.status, soon).toBe('database unreachable');
  proxy.heal();
  await expect.poll(readiness.status, soon).toBe('ready');
});

test('a process that was busy when the database answered does not take it for gone', async ({
  database: { databaseUrl },
}) => {
  const logger = createLogger('silent');
  const warnings: unknown[] = [];
  logger.warn = (...warning: unknown[]) => void warnings.push(warning);
  let answers = 0;
  // The answer is in the socket before the busy time, which is longer than the database may take.
  await using network = await startProxy(databaseUrl, () => {
    answers += 1;
    if (answers === busyAnswer) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
  });
  const pool = new CheckedPool({ connectionString: databaseUrl, max: 1 });
  onTestFinished(() => pool.end());
  const options = {
    databaseUrl: network.databaseUrl,
    pool,
    logger,
    stuckSeconds: 60,
    onStuck() {},
  };
  await using readiness = await watchReadiness(options);
  const asked = () => {
    readiness.status();
    return answers;
  };
  await expect.poll(asked).toBeGreaterThan(busyAnswer + 3);
  expect(warnings).toEqual([]);
  expect(readiness.status()).toBe('ready');
});

test('after an outage a statement whose answer was swallowed ends soon', async ({ database }) => {
  const { proxy, pool, readiness } = await watched(database.databaseUrl);
  const client = await pool.connect();
  client.on('error', () => {});
  proxy.swallow();
  const began = performance.now();
  await expect(client.query('select 1')).rejects.toThrow(/terminated/);
  expect(performance.now() - began).toBeLessThan(10_000);
  client.release();
  await expect.poll(readiness.status, soon).toBe('ready');
});

test('readiness is true within five seconds on a read-only database and on one of a newer version', async ({
  database: { databaseUrl, orm },
}) => {
  const { readiness } = await watched(databaseUrl);
  const name = new URL(databaseUrl).pathname.slice(1);
  await orm.em.fork().execute(`alter database ${name} set default_transaction_read_only = on`);
  await expect.poll(readiness.status, soon).toBe('database is read-only');
  const em = orm.em.fork();
  await em.transactional(async (em) => {
    await em.execute('set transaction read write');
    await em.execute(`alter database ${name} reset default_transaction_read_only`);
  });
  await expect.poll(readiness.status, soon).toBe('ready');

  await orm.em
    .fork()
    .execute(`insert into mikro_orm_migrations (name) values ('Migration29990101000000')`);
  await expect
    .poll(readiness.status, soon)
    .toBe('database belongs to a newer version, which has applied Migration29990101000000');
  expect(readiness.isForeign()).toBe(true);
  await orm.em
    .fork()
    .execute(`delete from mikro_orm_migrations where name = 'Migration29990101000000'`);
  await expect.poll(readiness.status, soon).toBe('ready');
});

test('a process whose pool hands out nothing is not ready, and is ended at last', async ({
  database,
}) => {
  const { pool, readiness, stuck } = await watched(database.databaseUrl, 4);
  const leaked = await pool.connect();
  const waiting = pool.connect();
  await expect.poll(readiness.status, soon).toBe('no database connection is free');
  await expect.poll(stuck).toBeGreaterThan(0);
  leaked.release();
  (await waiting).release();
  expect(readiness.status()).toBe('ready');
});

test('a process that was frozen while a request waited for a connection is not stuck', async ({
  database,
}) => {
  const { pool, readiness, stuck } = await watched(database.databaseUrl, 4);
  const leaked = await pool.connect();
  const waiting = pool.connect();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000);
  expect(pool.stuckMilliseconds).toBeLessThan(1_000);
  expect(readiness.status()).toBe('ready');
  // Timers that were due meanwhile come before anything else.
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(stuck()).toBe(0);
  leaked.release();
  (await waiting).release();
});

test('a request after a pause waits until it is known which organizations are served', async ({
  database: { databaseUrl, orm },
  session: { organizationId },
}) => {
  const pool = new CheckedPool({ connectionString: databaseUrl, max: 1 });
  const absent: string[][] = [];
  await using readiness = await watchReadiness({
    ...{ databaseUrl, pool, logger: createLogger('silent'), stuckSeconds: 60 },
    onStuck() {},
    onAbsent: (organizations) => void absent.push([...organizations.keys()]),
  });
  onTestFinished(() => pool.end());
  // The checks are rare, since nothing asks; then one request learns of the move, and a further one need not wait.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
  const move = `insert into organization_move (organization_id, state, cell) values (?, 'moved', 'two')`;
  await orm.em.fork().execute(move, [organizationId]);
  onTestFinished(async () => {
    await orm.em.fork().execute('delete from organization_move');
  });
  expect(absent).toEqual([]);
  await readiness.attend();
  expect(absent).toEqual([[organizationId]]);
  expect(readiness.attend()).toBeUndefined();
});

test('a process that is about to stop is not ready', async ({ database }) => {
  const { readiness } = await watched(database.databaseUrl);
  readiness.leave();
  expect(readiness.status()).toBe('stopping');
});
