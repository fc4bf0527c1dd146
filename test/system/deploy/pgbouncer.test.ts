import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { emptyUrl, preparedUrl } from '../../support/database.ts';
import { type Running, runToEnd, startService } from '../../support/process.ts';
import { runHere } from '../../support/run-here.ts';
import { templateKey } from '../../support/secrets.ts';
import { pgbouncer, startPooler } from '../../support/servers/pgbouncer.ts';

const connections = 10;

async function connectTo(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const call = (service: Running, method: string, path: string, body?: object, key = templateKey) =>
  fetch(`${service.url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

const aCustomer = (externalId: string) => ({
  customer: { externalId, name: externalId, email: `${externalId}@example.com` },
});

describe.skipIf(!pgbouncer)('Through PgBouncer with pooled transactions', () => {
  test('three processes start at once on an empty database, share ten connections, and hear each other', async () => {
    const DATABASE_DIRECT_URL = await emptyUrl();
    const { databaseUrl: DATABASE_URL } = await startPooler(DATABASE_DIRECT_URL, connections);
    const settings = { DATABASE_URL, DATABASE_DIRECT_URL, BOOTSTRAP_SECRET_KEY: templateKey };
    const [first, second, third] = (await Promise.all(
      [1, 2, 3].map(() => startService(settings)),
    )) as [Running, Running, Running];
    const server = await connectTo(DATABASE_DIRECT_URL);
    const used = `select count(*)::int as used from pg_stat_activity
      where datname = current_database() and application_name = 'tollgate'`;
    const made = Array.from({ length: 60 }, (_, index) =>
      call(
        [first, second, third][index % 3] as Running,
        'POST',
        'customers',
        aCustomer(`c${index}`),
      ),
    );
    expect(new Set((await Promise.all(made)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await server.query(used)).rows[0].used).toBeLessThanOrEqual(connections);

    const { stdout } = await runHere(['keys', 'create', '--name', 'second'], settings);
    const key = stdout.trim();
    for (const each of [first, second, third]) {
      expect((await call(each, 'GET', 'customers/c1', undefined, key)).status).toBe(200);
    }
    const stream = await fetch(`${third.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${templateKey}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ query: 'subscription { events { type } }' }),
    });
    const reader = stream.body?.getReader();
    onTestFinished(() => reader?.cancel());
    expect((await call(first, 'POST', 'customers', aCustomer('heard'))).status).toBe(200);
    const decoder = new TextDecoder();
    let text = '';
    while (!text.includes('customer.created')) {
      text += decoder.decode((await reader?.read())?.value);
    }

    const { stdout: list } = await runHere(['keys', 'list'], settings);
    const [, id = ''] = /^(\S+) .* second /m.exec(list) ?? [];
    expect(await runHere(['keys', 'revoke', id], settings)).toMatchObject({ code: 0 });
    for (const each of [first, second, third]) {
      await expect
        .poll(async () => (await call(each, 'GET', 'customers/c1', undefined, key)).status)
        .toBe(401);
    }
  });

  test('statements end after the time limit, and callers who wait for a lock get 503', async () => {
    const DATABASE_DIRECT_URL = await preparedUrl();
    const { databaseUrl: DATABASE_URL } = await startPooler(DATABASE_DIRECT_URL, connections);
    const service = await startService({
      DATABASE_URL,
      DATABASE_DIRECT_URL,
      OPERATION_TIME_LIMIT_SECONDS: '4',
      CRON: 'off',
    });
    const pooled = await connectTo(DATABASE_URL);
    const { rows } = await pooled.query(
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
         current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    expect(rows).toEqual([{ statement: '4s', lock: '2s', idle: '4s' }]);
    expect((await call(service, 'POST', 'customers', aCustomer('one'))).status).toBe(200);
    const server = await connectTo(DATABASE_DIRECT_URL);
    await server.query(
      'begin; set local idle_in_transaction_session_timeout = 0; lock table customer',
    );
    const refused = await call(service, 'PUT', 'customers/one', { customer: { name: 'Two' } });
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
    await server.query('rollback');
    const changed = await call(service, 'PUT', 'customers/one', { customer: { name: 'Two' } });
    expect(changed.status).toBe(200);
  });

  test('a pooler that was killed means 503 until it is there again, and nothing else', async () => {
    const DATABASE_DIRECT_URL = await preparedUrl();
    const pooler = await startPooler(DATABASE_DIRECT_URL, connections);
    const service = await startService({ DATABASE_URL: pooler.databaseUrl, DATABASE_DIRECT_URL });
    const statuses: number[] = [];
    const acknowledged: string[] = [];
    let stopped = false;
    const load = Array.from({ length: 4 }, async (_, lane) => {
      for (let index = 0; !stopped; index++) {
        const externalId = `l${lane}_${index}`;
        const { status } = await call(service, 'POST', 'customers', aCustomer(externalId));
        statuses.push(status);
        if (status === 200) acknowledged.push(externalId);
      }
    });
    const successes = () => statuses.filter((status) => status === 200).length;
    await expect.poll(successes).toBeGreaterThan(10);
    await pooler.kill();
    await expect.poll(() => statuses.includes(503)).toBe(true);
    await pooler.start();
    const before = successes();
    await expect.poll(successes).toBeGreaterThan(before + 10);
    stopped = true;
    await Promise.all(load);
    expect([...new Set(statuses)].toSorted()).toEqual([200, 503]);
    const server = await connectTo(DATABASE_DIRECT_URL);
    const { rows } = await server.query(
      'select external_id as id from customer where external_id like $1',
      ['l%'],
    );
    const stored = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  });

  test('without DATABASE_DIRECT_URL, or with that of another database, the start is refused', async () => {
    const direct = await preparedUrl();
    const { databaseUrl: DATABASE_URL } = await startPooler(direct, connections);
    const alone = await runToEnd(['src/main.ts'], { DATABASE_URL });
    expect(alone).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^DATABASE_URL \S+ leads through a pooler of connections: set DATABASE_DIRECT_URL .*\n$/,
      ),
    });
    const owned = await runToEnd(['src/main.ts'], { DATABASE_URL, DATABASE_OWNER_URL: direct });
    expect(owned.stderr).toBe(alone.stderr);
    const other = { DATABASE_URL, DATABASE_DIRECT_URL: await preparedUrl() };
    expect(await runToEnd(['src/main.ts'], other)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^DATABASE_DIRECT_URL and DATABASE_URL must have the same .*\n$/,
      ),
    });
  });
});
