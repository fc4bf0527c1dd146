import { once } from 'node:events';
import net from 'node:net';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { openSession } from '#domain/kernel/session.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { type Statement, statement, statements } from '#engines/lockstep/statement.ts';
import { connect } from '#server/database/database.ts';
import { endingWith } from '#server/database/ending-with.ts';
import { startWire } from '../../../../bench/costs/wire.ts';
import { aCustomer, aUsageMeter, fresh } from '../../../support/factories.ts';
import { lockWaits } from '../../../support/servers/lock-waits.ts';
import { startProxy } from '../../../support/servers/proxy.ts';
import { testAlone } from '../../../support/test.ts';

/** An ORM with one connection, so that what a transaction leaves is seen by the next one. */
const test = testAlone('it changes the database or its connections')
  .extend('orm', async ({ database: { databaseUrl } }, { onCleanup }): Promise<MikroORM> => {
    const orm = await connect({ databaseUrl, poolSize: 1 });
    onCleanup(() => orm.close(true));
    return orm;
  })
  .extend('outsider', async ({ database: { databaseUrl } }, { onCleanup }) => {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    await client.query('create table if not exists noted (at int primary key, first_at int)');
    await client.query('truncate noted');
    onCleanup(() => client.end());
    return client;
  });

/** The code of a request that cancels a statement, in the protocol of PostgreSQL. */
const cancelCode = 80_877_102;

const note = (at: number, values: readonly unknown[] = [at]): Statement => ({
  name: undefined,
  text: 'insert into noted (at, first_at) values ($1, (select min(at) from noted))',
  values,
});

const noted = async (outsider: pg.Client) =>
  (await outsider.query('select at, first_at as "firstAt" from noted order by at')).rows;

/** Ends when a transaction waits for a lock. */
const untilOneWaits = (outsider: pg.Client) =>
  expect.poll(async () => (await outsider.query(lockWaits)).rowCount).toBeGreaterThan(0);

const write = (em: EntityManager, at: number, commits = false) =>
  statement(em, undefined, note(at).text, [at], { commits });

test('a transaction begins with its first statement, and one without statements asks nothing of the server', async ({
  orm,
  outsider,
}) => {
  await orm.em.execute('select 1');
  const sessions = () =>
    outsider.query(
      `select state, xact_start is not null as open, query from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
         and query !~ 'wake_up'`,
    );
  await orm.em.fork().transactional(async (em) => {
    const idle = (await sessions()).rows;
    expect(idle.filter(({ open }) => open)).toEqual([]);
    await em.execute('select 2');
    const open = (await sessions()).rows.filter((one) => one.open);
    expect(open).toEqual([{ state: 'idle in transaction', open: true, query: 'select 2' }]);
  });
  await orm.em.fork().transactional(async () => {});
  const failed = orm.em.fork().transactional(async () => {
    throw new Error('before any statement');
  });
  await expect(failed).rejects.toThrow('before any statement');
  const { rows } = await sessions();
  expect(rows.map(({ query }) => query)).not.toContain('rollback');
  expect(rows.filter(({ open }) => open)).toEqual([]);
});

test('a first statement that fails leaves nothing, and its connection serves the next transaction', async ({
  orm,
  outsider,
}) => {
  const failed = orm.em.fork().transactional(async (em) => {
    await write(em, 1);
    await em.execute('select 1 / 0');
  });
  await expect(failed).rejects.toThrow('division by zero');
  const atOnce = orm.em.fork().transactional((em) => em.execute('select 1 / 0'));
  await expect(atOnce).rejects.toThrow('division by zero');
  await orm.em.fork().transactional((em) => write(em, 2));
  expect(await noted(outsider)).toEqual([{ at: 2, firstAt: null }]);
});

test('savepoints and isolation levels of a transaction hold from its first statement', async ({
  orm,
  outsider,
}) => {
  const level = await orm.em.fork().transactional(
    async (em) => {
      const inner = em.transactional(async (em) => {
        await write(em, 1);
        throw new Error('inner');
      });
      await expect(inner).rejects.toThrow('inner');
      await write(em, 2);
      return em.execute("select current_setting('transaction_isolation') as level");
    },
    { isolationLevel: 'repeatable read' as never },
  );
  expect(level).toEqual([{ level: 'repeatable read' }]);
  expect(await noted(outsider)).toEqual([{ at: 2, firstAt: null }]);
});

test('each of several statements sees those before it, and the first that fails ends all', async ({
  orm,
  outsider,
}) => {
  await orm.em.fork().transactional(async (em) => {
    const read = { name: 'noted', text: 'select at from noted order by at', values: [] };
    const results = await statements(em, [note(5), note(6), read]);
    expect(results).toEqual([[], [], [{ at: 5 }, { at: 6 }]]);
  });
  expect(await noted(outsider)).toEqual([
    { at: 5, firstAt: null },
    { at: 6, firstAt: 5 },
  ]);
  const failed = orm.em
    .fork()
    .transactional((em) => statements(em, [note(7), note(5), note(8, ['no number'])]));
  await expect(failed).rejects.toThrow('noted_pkey');
  expect(await noted(outsider)).toHaveLength(2);
  await orm.em.fork().transactional((em) => write(em, 9));
  expect(await noted(outsider)).toHaveLength(3);
});

test('a statement that waits for a lock sees what was committed meanwhile, and so do those after it', async ({
  orm,
  outsider,
}) => {
  await outsider.query('insert into noted (at, first_at) values (1, 1)');
  await outsider.query('begin');
  await outsider.query('update noted set first_at = 2 where at = 1');
  const lock = {
    name: undefined,
    text: 'select at from noted where at = 1 for update',
    values: [],
  };
  const read = { name: undefined, text: 'select first_at as "firstAt" from noted', values: [] };
  const locked = orm.em.fork().transactional((em) => statements(em, [lock, read]));
  await untilOneWaits(outsider);
  await outsider.query('commit');
  expect(await locked).toEqual([[{ at: 1 }], [{ firstAt: 2 }]]);
});

test('a last statement commits its transaction, and nothing may follow it', async ({
  orm,
  outsider,
}) => {
  const late = orm.em.fork().transactional(async (em) => {
    await write(em, 1);
    await write(em, 2, true);
    expect(await noted(outsider)).toHaveLength(2);
    await write(em, 3);
  });
  await expect(late).rejects.toThrow('A statement follows the one that commits its transaction');
  await orm.em.fork().transactional((em) => write(em, 4, true));
  expect((await noted(outsider)).map(({ at }) => at)).toEqual([1, 2, 4]);
});

test('a last statement that fails commits nothing, nor does one whose commit is refused', async ({
  orm,
  outsider,
}) => {
  const failed = orm.em.fork().transactional(async (em) => {
    await write(em, 1);
    await write(em, 1, true);
  });
  await expect(failed).rejects.toThrow('noted_pkey');
  await outsider.query(
    'create table later (at int references noted (at) deferrable initially deferred)',
  );
  const refused = orm.em.fork().transactional(async (em) => {
    await write(em, 2);
    await statement(em, undefined, 'insert into later values ($1)', [99], { commits: true });
  });
  await expect(refused).rejects.toThrow('later_at_fkey');
  await outsider.query('drop table later');
  expect(await noted(outsider)).toEqual([]);
  await orm.em.fork().transactional((em) => write(em, 3));
  expect(await noted(outsider)).toHaveLength(1);
});

test('a connection that is cut below several statements fails all of them, and is replaced', async ({
  database: { databaseUrl },
  outsider,
}) => {
  await using proxy = await startProxy(databaseUrl);
  const orm = await connect({ databaseUrl: proxy.databaseUrl, poolSize: 1 });
  try {
    await outsider.query('begin');
    await outsider.query('lock table noted');
    const cut = orm.em.fork().transactional((em) => statements(em, [note(1), note(2)]));
    await untilOneWaits(outsider);
    proxy.cut();
    await expect(cut).rejects.toThrow();
    await outsider.query('rollback');
    await orm.em.fork().transactional((em) => write(em, 3));
    expect((await noted(outsider)).map(({ at }) => at)).toContain(3);
  } finally {
    await orm.close(true);
  }
});

test('a statement that is used often is planned once for a connection, and a new column changes nothing', async ({
  orm,
  session,
}) => {
  const { em: _, ...scope } = session;
  const find = (name: string) => openSession(orm.em, scope).em.find(Customer, { name });
  const page = (name: string) =>
    openSession(orm.em, scope).em.find(Customer, { name }, { orderBy: { id: 'asc' }, limit: 5 });
  for (let use = 0; use < 30; use++) {
    await find(`Ada ${use}`);
    await page(`Ada ${use}`);
  }
  const named = await orm.em.execute<{ statement: string }[]>(
    `select statement from pg_prepared_statements where name like 'known %' and statement like '%"customer"%'`,
  );
  expect(named).toHaveLength(1);
  expect(named[0]?.statement).not.toContain('limit');
  await orm.em.execute('alter table customer add column added_later text');
  expect(await find('Ada')).toEqual([]);
});

test('reads of a transaction that are issued together share a round trip, and keep their order', async ({
  database,
}) => {
  const wire = await startWire(database.databaseUrl);
  const orm = await connect({ databaseUrl: wire.databaseUrl, poolSize: 1 });
  onTestFinished(async () => {
    await orm.close(true);
    await wire[Symbol.asyncDispose]();
  });
  await orm.em.fork().transactional(async (em) => {
    await em.execute('select 1');
    wire.take();
    const numbers = [2, 3, 4].map((number) => em.execute(`select ${number} as number`));
    expect(await Promise.all(numbers)).toEqual([[{ number: 2 }], [{ number: 3 }], [{ number: 4 }]]);
    expect(wire.take()).toMatchObject({ statements: 3, roundTrips: 1 });
  });
});

test('a statement after the end of its transaction is refused, and does not reach the next one', async ({
  orm,
}) => {
  let later: EntityManager | undefined;
  const failed = orm.em.fork().transactional(async (em) => {
    later = em;
    await em.execute('select 1');
    throw new Error('refused');
  });
  await expect(failed).rejects.toThrow('refused');
  const context = later;
  await expect(context?.execute('select 2')).rejects.toThrow(/transaction/i);
  await orm.em.fork().transactional(async (em) => {
    expect(await em.execute('select 3 as number')).toEqual([{ number: 3 }]);
  });
});

test('a caller that leaves ends all parallel statements of its transaction with one cancellation', async ({
  database: { databaseUrl },
}) => {
  let cancellations = 0;
  const address = new URL(databaseUrl);
  const { port } = address;
  const server = net.createServer((near) => {
    const far = net.connect(Number(port), '127.0.0.1');
    near.on('data', (bytes) => {
      if (bytes.length === 16 && bytes.readInt32BE(4) === cancelCode) cancellations += 1;
    });
    for (const end of [near, far]) end.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, '127.0.0.1').unref(), 'listening');
  address.port = String((server.address() as net.AddressInfo).port);
  const orm = await connect({ databaseUrl: address.href, poolSize: 1 });
  onTestFinished(() => orm.close(true));
  const caller = new AbortController();
  const left = endingWith(caller.signal, () =>
    orm.em.fork().transactional(async (em) => {
      await em.execute('select 1');
      const sleeps = [1, 2, 3, 4, 5, 6].map(() => em.execute('select pg_sleep(600)'));
      setImmediate(() => caller.abort());
      await Promise.all(sleeps);
    }),
  );
  await expect(left).rejects.toThrow();
  const next = orm.em.fork().transactional((em) => em.execute('select 2 as number'));
  expect(await next).toEqual([{ number: 2 }]);
  expect(cancellations).toBe(1);
});

test('the failure of a statement is that of its transaction: nothing is committed, and what follows has its reason', async ({
  orm,
  outsider,
}) => {
  const caught = orm.em.fork().transactional(async (em) => {
    await write(em, 1);
    await em.execute('select 1 / 0').catch(() => {});
    await expect(em.execute('select 2')).rejects.toThrow('division by zero');
  });
  await expect(caught).rejects.toThrow('division by zero');
  expect(await noted(outsider)).toEqual([]);
  await orm.em.fork().transactional(async (em) => {
    const inner = em.transactional(async (em) => {
      await em.execute('select 1 / 0').catch(() => {});
    });
    await expect(inner).rejects.toThrow('division by zero');
    await write(em, 2);
  });
  expect(await noted(outsider)).toEqual([{ at: 2, firstAt: null }]);
});

test('updates of a flush leave together with their events, and the one that is refused is the error of the flush', async ({
  database,
  tenant,
}) => {
  const { session } = tenant;
  const wire = await startWire(database.databaseUrl);
  onTestFinished(() => wire[Symbol.asyncDispose]());
  const orm = await connect({ databaseUrl: wire.databaseUrl, poolSize: 1 });
  onTestFinished(() => orm.close(true));
  const other = await aCustomer(session);
  const [{ id }, meter] = [await aCustomer(session), await aUsageMeter(session)];
  const { em: _, ...scope } = session;
  const change = (externalId: string) =>
    openSession(orm.em, scope).em.transactional(async (em) => {
      const customer = await em.findOneOrFail(Customer, id);
      const usageMeter = await em.findOneOrFail(UsageMeter, meter.id);
      Object.assign(customer, { externalId, version: customer.version + 1 });
      Object.assign(usageMeter, { name: externalId, version: usageMeter.version + 1 });
      wire.take();
      await em.flush();
      return wire.take();
    });
  // The texts of the updates are learned by the first ones.
  for (const round of ['one', 'two', 'three']) await change(round);
  expect(await change('four')).toMatchObject({ statements: 3, roundTrips: 1 });
  const refused = change(other.externalId);
  await expect(refused).rejects.toBeInstanceOf(UniqueConstraintViolationException);
  const { em } = fresh(session);
  expect(await em.findOneOrFail(Customer, id)).toMatchObject({ externalId: 'four' });
  expect(await em.findOneOrFail(UsageMeter, meter.id)).toMatchObject({ name: 'four' });
});
