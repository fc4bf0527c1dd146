// @module-tag long
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { databaseFailure } from '#domain/kernel/database-failure.ts';
import { connect } from '#server/database/database.ts';
import type { CheckedPool } from '#server/database/pool.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { startProxy } from '../../../support/servers/proxy.ts';
import { apiOf, graphqlOf, testAlone } from '../../../support/test.ts';

const test = testAlone('it changes the database or its connections');

const poolSize = 3;

/** An ORM of its own behind a network that can fail. */
async function behindProxy(databaseUrl: string, statementTimeoutSeconds = 30) {
  const proxy = await startProxy(databaseUrl);
  const orm = await connect({
    databaseUrl: proxy.databaseUrl,
    poolSize,
    statementTimeoutSeconds,
  });
  const pool = (await orm.em.getConnection().getNativeClient()) as CheckedPool;
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  onTestFinished(async () => {
    await admin.end();
    proxy.cut();
    await orm.close(true);
    await proxy[Symbol.asyncDispose]();
  });
  return { proxy, orm, pool, admin };
}

const times = <T>(work: () => Promise<T>) =>
  Promise.allSettled(Array.from({ length: poolSize }, work));

/** Calls `meanwhile` once when as many as the pool has connections have come here; they continue after it. */
function gathering(meanwhile: () => unknown) {
  let here = 0;
  const all = Promise.withResolvers<void>();
  return async () => {
    here += 1;
    if (here === poolSize) {
      await meanwhile();
      all.resolve();
    }
    await all.promise;
  };
}

/** Every connection that the pool may have is used at the same time, in transactions. */
async function everyConnectionWorks(orm: MikroORM) {
  const gathered = gathering(() => {});
  const ends = await times(() =>
    orm.em.fork().transactional(async (em) => {
      await em.execute('select 1');
      await gathered();
    }),
  );
  expect(ends).toEqual(ends.map(() => ({ status: 'fulfilled', value: undefined })));
}

const failed = (ends: PromiseSettledResult<unknown>[]) =>
  expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 'rejected'));

/** Ends the sessions of one pool that wait for a lock. */
const terminateWaiting = (admin: pg.Client) =>
  admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );

test('connections that are cut while their transactions wait for a lock are replaced', async ({
  database,
  session,
}) => {
  const { orm, pool, proxy, admin } = await behindProxy(database.databaseUrl);
  for (const cut of [() => terminateWaiting(admin), async () => proxy.cut()]) {
    await admin.query('begin');
    await admin.query('select 1 from pricing_model where id = $1 for update', [
      session.pricingModelId,
    ]);
    const waiting = times(() =>
      orm.em
        .fork()
        .transactional((em) =>
          em.execute('select 1 from pricing_model where id = ? for update', [
            session.pricingModelId,
          ]),
        ),
    );
    const count = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect
      .poll(async () => (await database.orm.em.fork().execute<{ n: number }[]>(count))[0]?.n, {
        timeout: 10_000,
      })
      .toBe(poolSize);
    await cut();
    failed(await waiting);
    await admin.query('rollback');
    await everyConnectionWorks(orm);
    expect(pool.totalCount).toBe(poolSize);
  }
});

test('connections that the server ends in the middle of transactions are replaced', async ({
  database,
}) => {
  const { orm, admin } = await behindProxy(database.databaseUrl);
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`;
  for (const last of ['select 1', undefined]) {
    const idle = gathering(() => admin.query(terminate));
    const ended = times(() =>
      orm.em.fork().transactional(async (em) => {
        await em.execute('select 1');
        await idle();
        // Without a statement of its own it is the commit that fails.
        if (last) await em.execute(last);
      }),
    );
    failed(await ended);
    await everyConnectionWorks(orm);
  }
});

test('connections that the network has swallowed are found before they are used', async ({
  database,
}) => {
  const { orm, proxy, pool } = await behindProxy(database.databaseUrl);
  await everyConnectionWorks(orm);
  proxy.swallow();
  pool.distrust();
  const began = performance.now();
  await everyConnectionWorks(orm);
  expect(performance.now() - began).toBeLessThan(2_000);
});

test('a statement whose answer the network swallows ends soon after its time, and so does its transaction', async ({
  database,
}) => {
  const { orm, proxy } = await behindProxy(database.databaseUrl, 1);
  let began = 0;
  const gathered = gathering(() => {
    began = performance.now();
    proxy.swallow();
  });
  const ended = times(() =>
    orm.em.fork().transactional(async (em) => {
      await em.execute('select 1');
      await gathered();
      await em.execute('select 1');
    }),
  );
  failed(await ended);
  // The time of a statement, and the grace of five seconds, once.
  expect(performance.now() - began).toBeLessThan(8_000);
  await everyConnectionWorks(orm);
});

test('a connection to a server that has become read-only is not used again', async ({
  database,
}) => {
  const { orm, pool, admin } = await behindProxy(database.databaseUrl);
  const name = new URL(database.databaseUrl).pathname.slice(1);
  const write = () =>
    orm.em
      .fork()
      .transactional((em) => em.execute(`update cron_run set alive_at = null where id = ''`));
  await admin.query(`alter database ${name} set default_transaction_read_only = on`);
  // The setting is for new connections.
  pool.distrust();
  try {
    failed(await times(write));
  } finally {
    await admin.query(`alter database ${name} reset default_transaction_read_only`);
  }
  for (let n = 0; n < poolSize; n++) await write();
});

test('a refused commit leaves its connection in the pool', async ({ database }) => {
  const { orm, pool } = await behindProxy(database.databaseUrl);
  await orm.em.fork().execute('select 1');
  const [before] = await orm.em.fork().execute('select pg_backend_pid() as pid');
  const em = orm.em.fork();
  const refused = em.transactional((em) =>
    em.execute(
      `create temporary table twice (id int unique deferrable initially deferred) on commit drop;
       insert into twice values (1), (1)`,
    ),
  );
  await expect(refused).rejects.toThrow(/unique/);
  const [after] = await orm.em.fork().execute('select pg_backend_pid() as pid');
  expect(after).toEqual(before);
  expect(pool.idleCount).toBe(1);
});

test('while the database is gone every request is a 503 with Retry-After, with one line in the log', async ({
  database,
  hub,
  tenant,
}) => {
  const { orm, proxy } = await behindProxy(database.databaseUrl);
  const lines: string[] = [];
  const logger = Object.assign(createLogger('silent'), {
    error: (line: object) => lines.push(JSON.stringify(line)),
    warn: (line: object) => lines.push(JSON.stringify(line)),
  });
  const parts = { hub, logger, production: true, operationTimeLimitSeconds: 30 };
  const gateway = createGateway({ orm, ...parts });
  const api = apiOf(gateway, tenant.key);
  expect((await api('GET', '/products')).status).toBe(200);
  proxy.leadTo('postgresql://127.0.0.1:1/gone');
  proxy.cut();
  const meter = {
    usageMeter: { name: 'M', slug: 'm' },
    price: { unitPrice: 1, usageEventsPerUnit: 1 },
  };
  const answers = [
    await api('GET', '/products'),
    await api('GET', '/usage-meters/usage_meter_none'),
    await api('POST', '/usage-meters', meter),
    await api('POST', '/usage-meters', meter, { headers: { 'idempotency-key': 'one' } }),
    await api('POST', '/usage-meters', meter, { headers: { prefer: 'dry-run' } }),
    // Another key has to be looked up first.
    await api('GET', '/products', undefined, { key: `sk_test_${'0'.repeat(40)}` }),
  ];
  for (const { status, body, headers } of answers) {
    expect(status).toBe(503);
    expect(body).toEqual({ code: 'SERVICE_UNAVAILABLE', message: expect.any(String), issues: [] });
    expect(headers.get('retry-after')).toBe('1');
  }
  expect(lines).toHaveLength(answers.length);
  for (const line of lines) expect(line).toMatch(/^\{"reason":"[^"]{1,200}"\}$/);

  const response = await gateway.fetch('http://test/graphql', {
    method: 'POST',
    headers: { authorization: tenant.key, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ products { nodes { id } } }' }),
  });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await response.json()).toMatchObject({
    errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 } }],
  });
  const { errors } = await graphqlOf(
    gateway,
    tenant.key,
  )('mutation { updateOrganization(organization: {name: "X"}) { organization { id } } }');
  expect(errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
  const link = 'http://test/documents/invoice/inv_x?expires=1&signature=x';
  expect((await gateway.fetch(link)).status).toBe(503);
});

test('in the schema of a newer version what fails for that reason is a 503', async ({
  database: { orm },
  hub,
  tenant,
}) => {
  const logger = createLogger('silent');
  const parts = { orm, hub, logger, production: true, operationTimeLimitSeconds: 30 };
  const readiness = { status: () => 'ready', isForeign: () => true };
  await orm.em.fork().execute('alter table resource rename to gone');
  try {
    const asked = (gateway: ReturnType<typeof createGateway>) =>
      apiOf(gateway, tenant.key)('GET', '/resources');
    expect((await asked(createGateway({ ...parts, readiness }))).status).toBe(503);
    expect((await asked(createGateway(parts))).status).toBe(500);
  } finally {
    await orm.em.fork().execute('alter table gone rename to resource');
  }
});

test('failures of the database are distinguished from others', () => {
  const failures = [
    ...['08006', '08003', '08001', '53100', '53200', '53300', '57014', '57P01', '57P03', '25006'],
    ...['25P03', '28P01', '28000', '40001', '40P01', '55P03', '58030', '3D000', 'ECONNREFUSED'],
    ...['ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EPIPE'],
  ].map((code) => ({ code, message: 'a message' }));
  const messages = [
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Query read timeout',
    'timeout exceeded when trying to connect',
    'cached plan must not change result type',
  ].map((message) => ({ message }));
  for (const failure of [...failures, ...messages]) {
    expect(databaseFailure(failure)).toContain(failure.message);
    expect(databaseFailure({ message: 'masked', originalError: failure })).toBeDefined();
  }
  const others = ['23505', '23514', '22021', '42P01', '42501', '21000', 'ENOENT'];
  for (const code of others)
    expect(databaseFailure({ code, message: 'a message' })).toBeUndefined();
  expect(databaseFailure({ code: '08P01', message: 'invalid message format' })).toBeUndefined();
  expect(databaseFailure({ code: '42883', message: 'no such function' }, true)).toBeDefined();
});
