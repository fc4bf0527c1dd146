import { once } from 'node:events';
import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { createClient } from 'graphql-ws';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '#server/embedded-postgres/embedded-postgres.ts';
import { emptyUrl, preparedUrl } from '../support/database.ts';
import { until } from '../support/fleet/member.ts';
import {
  dataFolder,
  type Running,
  runToEnd,
  type Settings,
  spawnProgram,
  startService,
} from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { templateKey } from '../support/secrets.ts';

const printedKey = /\bsk_test_[0-9A-Za-z]{40}\b/g;

describe('a folder of its own', () => {
  test('gets a secret test key that is printed exactly once, one process at a time, and keeps its data after SIGKILL', {
    tags: ['smoke'],
  }, async () => {
    const DATA_DIR = await dataFolder();
    const first = await startService({ DATA_DIR });
    const [printed = '', ...more] = first.stdout().match(printedKey) ?? [];
    expect(more).toEqual([]);
    expect((await get(first, '/api/v1/pricing-models/default', printed)).status).toBe(200);
    await expectRivalsToBeRefused(first, DATA_DIR);
    first.kill('SIGTERM');
    // Nothing but the notice and the log: a line of the log is a JSON object.
    const { code, stdout, stderr } = await first.ended();
    const lines = stdout.split('\n');
    const log = lines.filter((line) => line.startsWith('{')).join('\n');
    const notice = lines.filter((line) => !line.startsWith('{')).join('\n');
    expect(notice).toContain(printed);
    expect(log).not.toContain(printed);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

    const began = performance.now();
    const second = await startService({ DATA_DIR });
    expect((await get(second, '/api/v1/pricing-models/default', printed)).status).toBe(200);
    process.stdout.write(
      `Warm start to first answer: ${Math.round(performance.now() - began)} ms\n`,
    );
    expect(second.stdout()).not.toMatch(printedKey);
    const made = await fetch(`${second.url}/api/v1/resources`, {
      method: 'POST',
      headers: { authorization: `Bearer ${printed}`, 'content-type': 'application/json' },
      body: JSON.stringify({ resource: { name: 'Seats', slug: 'seats' } }),
    });
    expect(made.status).toBe(200);
    second.kill('SIGKILL');
    await second.ended();
    const next = await startService({ DATA_DIR });
    expect(await (await get(next, '/api/v1/resources', printed)).text()).toContain('"seats"');
  });

  test('is not made where the port is in use', async () => {
    const DATA_DIR = path.join(await dataFolder(), 'data');
    const taken = net.createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as net.AddressInfo;
    const ended = await runToEnd(['src/main.ts'], { DATA_DIR, PORT: String(port) });
    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: `PORT ${port} of HOST 127.0.0.1 is in use: stop what uses it, or set another PORT\n`,
    });
    await expect(fs.stat(DATA_DIR)).rejects.toThrow('ENOENT');
  });

  /** A second process on the same DATA_DIR or PORT, a wrong password, and the HOST of another machine. */
  async function expectRivalsToBeRefused({ url }: Running, DATA_DIR: string) {
    const PORT = new URL(url).port;
    const DATABASE_URL = (await findRunningPostgres(DATA_DIR)) ?? '';
    const wrong = new URL(DATABASE_URL);
    wrong.password = 'guess';
    const refused: [Settings, RegExp][] = [
      [{ DATA_DIR }, /^DATA_DIR \S+ is in use by another Tollgate process \(pid \d+\); .*\n$/],
      [{ DATABASE_URL, PORT }, /^PORT \d+ of HOST 127\.0\.0\.1 is in use: .*\n$/],
      [{ DATABASE_URL, PORT, HOST: '192.0.2.1' }, /^HOST 192\.0\.2\.1 cannot be listened on .*\n$/],
      [{ DATABASE_URL: wrong.href }, /^DATABASE_URL \S+ .*password authentication failed.*\n$/],
    ];
    await Promise.all(
      refused.map(async ([settings, line]) => {
        // Those that start on one database wait for each other, and log that.
        const quiet = { LOG_LEVEL: 'warn', ...settings };
        const { code, stdout, stderr } = await runToEnd(['src/main.ts'], quiet);
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr).toMatch(line);
      }),
    );
  }
});

test('a document contains the font of letters that its readers lack', async () => {
  const service = await startService({ DATA_DIR: await dataFolder() });
  const [key = ''] = service.stdout().match(printedKey) ?? [];
  const post = async (route: string, body: object) => {
    const answer = await fetch(`${service.url}/api/v1${route}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const customer = { name: 'Ελένη', email: 'eleni@example.com', externalId: 'eleni' };
  const { id: customerId } = (await post('/customers', { customer })).data.customer;
  const invoiceLineItems = [{ description: 'Work', quantity: 1, price: 100 }];
  const { invoice } = await post('/invoices', { invoice: { customerId }, invoiceLineItems });
  const { pdfURL } = (await post(`/invoices/${invoice.id}/finalize`, {})).invoice;
  const pdf = Buffer.from(await (await fetch(pdfURL)).arrayBuffer());
  expect(pdf.includes('DejaVuSans')).toBe(true);
});

test('in production the first start makes no key and states how to make one, and warns of nothing else', async () => {
  const settings = {
    DATA_DIR: await dataFolder(),
    NODE_ENV: 'production',
    EMBEDDED_POSTGRES: 'true',
    PUBLIC_URL: 'https://billing.example.com',
    DRAIN_SECONDS: '0',
    SECRETS_KEY: '',
  };
  const service = await startService(settings);
  expect(service.stdout()).not.toMatch(/sk_test_/);
  expect(service.stdout()).toContain('tollgate keys create');
  const { stdout } = await runHere(['keys', 'create'], settings);
  expect(stdout).toMatch(/^sk_test_\w{40}\n$/);
  expect((await get(service, '/api/v1/pricing-models/default', stdout.trim())).status).toBe(200);
  const { mode } = await fs.stat(path.join(settings.DATA_DIR, 'secrets-key'));
  expect(mode & 0o777).toBe(0o600);
  service.kill('SIGTERM');
  await service.ended();
  const other = Buffer.alloc(32, 7).toString('base64');
  const refused = await runToEnd(['src/main.ts'], { ...settings, SECRETS_KEY: other });
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^SECRETS_KEY lacks the key [0-9a-f]{8}, .*\n$/),
  });
});

test('BOOTSTRAP_SECRET_KEY sets the first key, and nothing is printed but the log, which warns of an address that other machines reach', async () => {
  const BOOTSTRAP_SECRET_KEY = 'sk_test_process_test_process_test_process';
  const settings = { DATABASE_URL: await emptyUrl(), BOOTSTRAP_SECRET_KEY, HOST: '0.0.0.0' };
  const service = await startService(settings);
  const answer = await get(service, '/api/v1/pricing-models/default', BOOTSTRAP_SECRET_KEY);
  expect(answer.status).toBe(200);
  expect(service.stdout()).toMatch(/^(\{"level":.*\}\n)+$/);
  expect(service.stdout()).toMatch(/"level":40.*HOST 0\.0\.0\.0 can be reached/);
  expect(service.stdout()).not.toContain('sk_test_');
});

test('SIGTERM lets a request in flight finish, refuses new ones, closes WebSockets, event streams and connections without a request, and exits 0', async () => {
  const DATABASE_URL = await preparedUrl();
  const service = await startService({ DATABASE_URL });
  const { pricingModel } = await (await get(service, '/api/v1/pricing-models/default')).json();
  const query = `subscription { pricingModelChanged(id: "${pricingModel.id}") { name } }`;
  const unused = net.connect(Number(new URL(service.url).port), '127.0.0.1');
  const unusedClosed = once(unused, 'close');
  const socket = subscribeByWebSocket(service, query);
  const stream = await subscribeByEvents(service, query);
  await eventually(async () => {
    await rename(service, pricingModel.id, 'Before');
    return [socket.received(), stream.received()];
  }).toEqual([expect.stringContaining('Before'), expect.stringContaining('Before')]);
  const other = await connectTo(DATABASE_URL);
  await other.query('begin');
  await other.query('select 1 from pricing_model where id = $1 for update', [pricingModel.id]);
  const slow = rename(service, pricingModel.id, 'Renamed');
  const waiting = `select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await eventually(async () => {
    // A transaction sees the sessions of its first look until it clears that.
    await other.query('select pg_stat_clear_snapshot()');
    return (await other.query(waiting)).rows[0].waiting;
  }).toBeGreaterThan(0);

  const asked = performance.now();
  service.kill('SIGTERM');
  await eventually(() => service.stdout()).toContain('Stopping');
  // As npm does when the terminal has sent the signal already.
  service.kill('SIGINT');
  await eventually(() => refusal(service)).toBe('ECONNREFUSED');
  expect(await socket.closed).toBe(1001);
  await Promise.all([stream.closed, unusedClosed]);
  // A client that is notified that its subscription is complete would not connect again.
  expect(stream.received()).not.toContain('event: complete');
  await other.query('rollback');
  await other.end();
  const answer = await slow;
  expect(answer.status).toBe(200);
  expect((await answer.json()).pricingModel.name).toBe('Renamed');
  expect(await service.ended()).toMatchObject({ code: 0, stderr: '' });
  // Well before the time that a client gets which does not let go.
  expect(performance.now() - asked).toBeLessThan(9_000);
});

test('before it stops, a process is not ready and still takes requests, on connections that end with them', async () => {
  const service = await startService({ DATABASE_URL: await preparedUrl(), DRAIN_SECONDS: '3' });
  const path = '/api/v1/pricing-models/default';
  expect((await get(service, path)).headers.get('connection')).toBe('keep-alive');
  service.kill('SIGTERM');
  await eventually(async () => (await get(service, '/ready')).status).toBe(503);
  expect(await (await get(service, '/ready')).json()).toMatchObject({ status: 'stopping' });
  const answer = await get(service, path);
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  expect(await service.ended()).toMatchObject({ code: 0, stderr: '' });
});

test('a start waits for a database that is coming up, and states so once; /ready turns 503 when the database is gone and 200 when it is back; /health stays 200', async () => {
  const dataDir = await dataFolder();
  let postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  onTestFinished(() => postgres[Symbol.asyncDispose]());
  const gate = await startGate(postgres.databaseUrl);
  gate.leadTo('postgresql://u@127.0.0.1:1/tollgate');
  const starting = startService({
    DATABASE_URL: gate.databaseUrl,
    BOOTSTRAP_SECRET_KEY: templateKey,
  });
  await gate.refused;
  gate.leadTo(postgres.databaseUrl);
  const service = await starting;
  expect(service.stdout().match(/Waiting up to 60 s for the database/g)).toHaveLength(1);

  const status = async (path: string) => (await get(service, path)).status;
  expect([await status('/health'), await status('/ready')]).toEqual([200, 200]);
  expect(await (await get(service, '/health')).json()).toEqual({ status: 'ok' });
  await postgres[Symbol.asyncDispose]();
  await eventually(() => status('/ready')).toBe(503);
  expect(await status('/health')).toBe(200);

  postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  gate.leadTo(postgres.databaseUrl);
  await eventually(() => status('/ready')).toBe(200);
  service.kill('SIGTERM');
  expect(await service.ended()).toMatchObject({ code: 0, stderr: '' });
});

test('SIGINT ends a start that waits for another process, with 0', async () => {
  const DATABASE_URL = await emptyUrl();
  const other = await connectTo(DATABASE_URL);
  await other.query('select pg_advisory_lock(7011447001)');
  const starting = spawnProgram(['src/main.ts'], { DATABASE_URL, PORT: '0' });
  const waiting = `select pid from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and locktype = 'advisory' and not granted`;
  await eventually(async () => (await other.query(waiting)).rowCount).toBe(1);
  starting.kill('SIGINT');
  const { code, stdout, stderr } = await starting.ended();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Waiting for another process that is starting on this database');
  await other.end();
});

test('a bad setting is refused with one line that names the variable', async () => {
  const refused: [name: string, settings: Settings, says: string][] = [
    ['PORT', { PORT: 'abc' }, 'must be a port number, 0 to 65535'],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }, 'must be one of trace, debug, info'],
    ['DATABASE_URL', { DATABASE_URL: 'nonsense' }, 'must be a postgresql:// address'],
    ['DATABASE_URL', { NODE_ENV: 'production' }, 'must be set with NODE_ENV=production'],
    ['DATABASE_URL', { DATABASE_URL: 'postgresql://u:secret@127.0.0.1:1/x' }, 'ECONNREFUSED'],
    ['DATABASE_URL', { DATABASE_URL: 'postgresql://u:secret@no.invalid/x' }, 'no.invalid'],
    [
      'BOOTSTRAP_SECRET_KEY',
      { BOOTSTRAP_SECRET_KEY: 'sk_test_12345678' },
      'must be sk_test_ and 24 to 192 random characters',
    ],
    ['BOOTSTRAP_CURRENCY', { BOOTSTRAP_CURRENCY: 'eur' }, 'must be an ISO 4217 code of a currency'],
    [
      'SECRETS_KEY',
      { NODE_ENV: 'production', DATABASE_URL: 'postgresql://h/x', SECRETS_KEY: '' },
      'must be set with NODE_ENV=production and DATABASE_URL',
    ],
    ['SECRETS_KEY', { SECRETS_KEY: 'too-short' }, 'must be 32 bytes in base64 or hexadecimal'],
    [
      'PUBLIC_URL',
      { NODE_ENV: 'production', EMBEDDED_POSTGRES: 'true' },
      'must be set with NODE_ENV=production',
    ],
  ];
  await Promise.all(
    refused.map(async ([name, settings, says]) => {
      const { code, stdout, stderr } = await runToEnd(['src/main.ts'], {
        DATABASE_WAIT_SECONDS: '0',
        ...settings,
      });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(new RegExp(`^${name} .*\n$`));
      expect(stderr).toContain(says);
      expect(stderr).not.toContain(':secret');
    }),
  );
});

test('several processes may start at once on one empty database; one prints the key, and all refuse keys that are revoked next to them', async () => {
  const DATABASE_URL = await emptyUrl();
  const services = await Promise.all([1, 2, 3].map(() => startService({ DATABASE_URL })));
  const printed = services.flatMap((service) => service.stdout().match(printedKey) ?? []);
  expect(printed).toHaveLength(1);
  const statuses = (credential: string | undefined) =>
    Promise.all(
      services.map(
        async (service) =>
          (await get(service, '/api/v1/pricing-models/default', credential)).status,
      ),
    );
  // On a busy machine the check of the database may take too long once.
  for (const service of services) {
    const isReady = async () => (await get(service, '/ready')).status === 200;
    await until('each process to be ready', isReady);
  }
  expect(await statuses(printed[0])).toEqual([200, 200, 200]);
  const other = await connectTo(DATABASE_URL);
  const { rows } = await other.query('select count(*)::int as organizations from organization');
  await other.end();
  expect(rows).toEqual([{ organizations: 1 }]);

  const keys = (...args: string[]) => runHere(['keys', ...args], { DATABASE_URL });
  const created = await keys('create', '--live', '--name', 'Shop', '--expires-in-days', '3');
  expect(created.code).toBe(0);
  expect(created.stdout).toMatch(/^sk_live_[0-9A-Za-z]{40}\n$/);
  const credential = created.stdout.trim();
  expect(await statuses(credential)).toEqual([200, 200, 200]);

  const line = (await keys('list')).stdout.split('\n').find((line) => line.includes('Shop')) ?? '';
  const [id = ''] = line.split(' ');
  expect(line).toMatch(/^apikey_\S+ +secret +live +Shop +sk_live_\.\.\.\S{4} +Live .* expires /);
  expect(await keys('revoke', id)).toMatchObject({ code: 0, stdout: '' });
  await eventually(() => statuses(credential)).toEqual([401, 401, 401]);
  expect((await keys('list')).stdout).toMatch(new RegExp(`${id} .* revoked `));
});

test('keys are created and revoked without a running process, also on an empty database', async () => {
  const DATA_DIR = await dataFolder();
  const keys = (...args: string[]) => runHere(['keys', ...args], { DATA_DIR });
  const created = await keys('create', '--type', 'publishable');
  expect(created.stdout).toMatch(/^pk_test_[0-9A-Za-z]{40}\n$/);
  expect(created.stderr).toMatch(
    /A publishable key of test mode for the pricing model ".+" \(pricing_model_/,
  );
  const help = await keys('create', '--help');
  expect(help).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Usage: tollgate keys'),
  });
  const [founding = ''] = created.stderr.match(printedKey) ?? [];
  const [, first = '', second = ''] = (await keys('list')).stdout.split('\n');
  const revoked = second.includes(' publishable ') ? second : first;
  expect((await keys('revoke', revoked.split(' ')[0] ?? '')).code).toBe(0);

  const service = await startService({ DATA_DIR });
  const path = '/api/v1/pricing-models/default';
  expect((await get(service, path, founding)).status).toBe(200);
  expect((await get(service, path, created.stdout.trim())).status).toBe(401);
});

test('keys answers arguments that ask for nothing with its usage, and an unknown id with one line', async () => {
  const refused = [
    [[], 'A command is missing'],
    [['destroy'], 'There is no command destroy'],
    [['create', '--colour', 'red'], "Unknown option '--colour'"],
    [['create', '--expires-in-days', '0'], '--expires-in-days must be a whole number'],
    [['create', '--scopes', 'read,all'], '--scopes must be among read, api_keys_write, '],
    [['create', '--origins', 'https://a.example'], '--origins is for publishable keys'],
    [
      ['create', '--type', 'publishable', '--origins', 'https://a.example/shop'],
      'without a path, not https://a.example/shop',
    ],
    [['revoke'], 'revoke takes the id of one key'],
  ] as const;
  const DATABASE_URL = await preparedUrl();
  const unknown = runHere(['keys', 'revoke', 'apikey_x'], { DATABASE_URL });
  await Promise.all(
    refused.map(async ([args, says]) => {
      const { code, stdout, stderr } = await runHere(['keys', ...args], {});
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(says);
      expect(stderr).toContain('Usage: tollgate keys <command>');
    }),
  );
  expect(await unknown).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no API key apikey_x; list shows all keys\n',
  });
});

/** Waits for a condition, also on a machine that is busy. */
function eventually<T>(value: () => T) {
  return expect.poll(value);
}

function get(service: Running, path: string, credential = templateKey): Promise<Response> {
  return fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${credential}` } });
}

/** The reason why a new connection fails, if it does. */
async function refusal({ url }: Running): Promise<string | undefined> {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    socket.destroy();
  }
}

async function connectTo(databaseUrl: string | undefined): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  return client;
}

function rename(service: Running, pricingModelId: string, name: string): Promise<Response> {
  return fetch(`${service.url}/api/v1/pricing-models/${pricingModelId}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${templateKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ pricingModel: { name } }),
  });
}

/** A subscription, the text of its events, and the code with which its WebSocket closes. */
function subscribeByWebSocket(service: Running, query: string) {
  const closed = Promise.withResolvers<number>();
  let text = '';
  const client = createClient({
    url: `${service.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${templateKey}` },
    retryAttempts: 0,
    on: { closed: (event) => closed.resolve((event as CloseEvent).code) },
  });
  const next = (event: object) => {
    text += JSON.stringify(event);
  };
  client.subscribe({ query }, { next, error: () => {}, complete: () => {} });
  return { closed: closed.promise, received: () => text };
}

/** A subscription as an event stream, the text that has arrived, and its end. */
async function subscribeByEvents(service: Running, query: string) {
  const { body } = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${templateKey}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query }),
  });
  let text = '';
  const read = async () => {
    for await (const chunk of body ?? []) text += Buffer.from(chunk).toString('utf8');
  };
  return { closed: read().catch(() => {}), received: () => text };
}

/** A fixed address before a database that comes back on another port. */
async function startGate(databaseUrl: string) {
  let port = Number(new URL(databaseUrl).port);
  const refused = Promise.withResolvers<void>();
  const gate = net.createServer((near) => {
    const far = net.connect(port, '127.0.0.1');
    far.on('error', () => refused.resolve());
    near.pipe(far).pipe(near);
    for (const end of [near, far]) {
      end.on('error', () => {});
      end.on('close', () => void [near.destroy(), far.destroy()]);
    }
  });
  gate.listen(0, '127.0.0.1').unref();
  await once(gate, 'listening');
  onTestFinished(() => void gate.close());
  const address = new URL(databaseUrl);
  address.port = String((gate.address() as net.AddressInfo).port);
  const leadTo = (url: string) => {
    port = Number(new URL(url).port);
  };
  return { databaseUrl: address.href, leadTo, refused: refused.promise };
}
