import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { sendSignal } from './support/fleet/send-signal.ts';
import { startProxy } from './support/servers/proxy.ts';

/**
 * `npm run faults [-- NAME …]`: what a process does while its database fails, and how long it takes until it
 * serves again. Each fault meets a fresh process with a pool of 10 and 8 clients; the table goes to standard output.
 */
const key = 'sk_test_faults_faults_faults_faults_faults';
const poolSize = 10;

const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'tollgate-faults-'));
const dataDir = path.join(folder, 'data');
const startPostgres = () => startEmbeddedPostgres({ dataDir, durable: false });
let postgres = await startPostgres();
const proxy = await startProxy(postgres.databaseUrl);

interface Fault {
  readonly name: string;
  /** Injects the fault and, when it ends by itself or by the end of this, resolves. */
  run(admin: pg.Client): Promise<void>;
}

const backends = `from pg_stat_activity where application_name like 'tollgate%' and pid <> pg_backend_pid()`;

const faults: readonly Fault[] = [
  {
    name: 'restart',
    async run(admin) {
      await admin.end();
      await postgres[Symbol.asyncDispose]();
      postgres = await startPostgres();
      proxy.leadTo(postgres.databaseUrl);
    },
  },
  {
    name: 'crash',
    async run() {
      const pids = await processes();
      process.kill(pids[0] ?? 0, 'SIGQUIT');
      await sleep(500);
      await postgres[Symbol.asyncDispose]();
      postgres = await startPostgres();
      proxy.leadTo(postgres.databaseUrl);
    },
  },
  {
    name: 'all terminated',
    run: (admin) => execute(admin, `select pg_terminate_backend(pid) ${backends}`),
  },
  {
    name: 'all terminated while they wait for a lock',
    run: (admin) =>
      holding(admin, 'select 1 from usage_meter for update', async () => {
        await sleep(2_000);
        await execute(admin, `select pg_terminate_backend(pid) ${backends}`);
      }),
  },
  {
    name: 'one terminated',
    run: (admin) =>
      execute(
        admin,
        `select pg_terminate_backend(pid) ${backends} and application_name = 'tollgate' limit 1`,
      ),
  },
  {
    name: 'server and backends frozen for 20 s',
    async run() {
      const pids = await processes();
      for (const pid of pids) sendSignal(pid, 'SIGSTOP');
      await sleep(20_000);
      for (const pid of pids) sendSignal(pid, 'SIGCONT');
    },
  },
  {
    name: 'server alone frozen for 20 s',
    async run() {
      const [server = 0] = await processes();
      process.kill(server, 'SIGSTOP');
      await sleep(20_000);
      process.kill(server, 'SIGCONT');
    },
  },
  {
    name: 'one backend frozen in a transaction for 45 s',
    async run(admin) {
      for (;;) {
        const { rows } = await admin.query(
          `select pid ${backends} and xact_start is not null limit 1`,
        );
        if (rows.length === 0) continue;
        sendSignal(rows[0].pid, 'SIGSTOP');
        await sleep(45_000);
        sendSignal(rows[0].pid, 'SIGCONT');
        return;
      }
    },
  },
  ...[
    'select 1 from usage_meter for update',
    'lock table usage_event_key',
    'lock table event_head',
    'lock table idempotency_key, cron_run',
  ].map((statement) => ({
    name: `outsider for 40 s: ${statement}`,
    run: (admin: pg.Client) => holding(admin, statement, () => sleep(40_000)),
  })),
  {
    name: 'read-only for 10 s',
    async run(admin) {
      await admin.query('alter system set default_transaction_read_only = on');
      await admin.query('select pg_reload_conf()');
      await sleep(10_000);
      await admin.query('set default_transaction_read_only = off');
      await admin.query('alter system reset default_transaction_read_only');
      await admin.query('select pg_reload_conf()');
    },
  },
  {
    name: 'every other connection taken for 15 s',
    async run() {
      const taken: pg.Client[] = [];
      for (;;) {
        const client = new pg.Client({ connectionString: postgres.databaseUrl });
        client.on('error', () => {});
        if (
          !(await client.connect().then(
            () => true,
            () => false,
          ))
        )
          break;
        taken.push(client);
      }
      await sleep(15_000);
      await Promise.all(taken.map((client) => client.end()));
    },
  },
  {
    name: 'password changed for 8 s',
    async run(admin) {
      await admin.query(`alter role postgres password 'another'`);
      await execute(admin, `select pg_terminate_backend(pid) ${backends}`);
      await sleep(8_000);
      const password = decodeURIComponent(new URL(postgres.databaseUrl).password);
      await admin.query(`alter role postgres password ${pg.escapeLiteral(password)}`);
    },
  },
  { name: 'connections cut', run: async () => proxy.cut() },
  { name: 'connections swallowed', run: async () => proxy.swallow() },
  {
    name: 'network swallowed for 20 s',
    async run() {
      proxy.swallowAll();
      await sleep(20_000);
      proxy.heal();
      proxy.swallow();
    },
  },
  {
    name: 'three restarts',
    async run(admin) {
      await admin.end();
      for (let n = 0; n < 3; n++) {
        await postgres[Symbol.asyncDispose]();
        postgres = await startPostgres();
        proxy.leadTo(postgres.databaseUrl);
        await sleep(2_000);
      }
    },
  },
];

const wanted = process.argv.slice(2);
try {
  for (const fault of faults) {
    if (wanted.length === 0 || wanted.some((name) => fault.name.includes(name)))
      await tryOut(fault);
  }
} finally {
  await postgres[Symbol.asyncDispose]();
  await fs.rm(folder, { recursive: true, force: true });
}
process.exit();

/** One fault on a fresh process, as a line of the table. */
async function tryOut({ name, run }: Fault) {
  const service = await startService();
  const answers: { path: string; began: number; ended: number; status: number | string }[] = [];
  const meters = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const made = await ask('POST', '/api/v1/usage-meters', {
        usageMeter: { name: 'Meter', slug: `meter-${crypto.randomUUID()}` },
        price: { unitPrice: n, usageEventsPerUnit: 1 },
      });
      return JSON.parse(made.text).usageMeter.id as string;
    }),
  );
  let ended = false;
  const clients = meters.map(async (id, n) => {
    while (!ended) {
      const headers = n % 2 ? { 'idempotency-key': crypto.randomUUID() } : {};
      await note(
        'PUT',
        `/api/v1/usage-meters/${id}`,
        { usageMeter: { name: `Name ${Math.random()}` } },
        headers,
      );
      await note('GET', '/api/v1/products?limit=1');
    }
  });
  const probe = (async () => {
    while (!ended) {
      void note('GET', '/ready');
      await sleep(250);
    }
  })();
  await sleep(2_000);
  const admin = await administrator();
  const begin = performance.now();
  await run(admin);
  const end = performance.now();
  const back = () =>
    answers.find(
      ({ path, began, status }) => began > end && path.includes('meters') && status === 200,
    );
  const readyBack = () =>
    answers.find(({ path, began, status }) => began > end && path === '/ready' && status === 200);
  for (let waited = 0; !(back() && readyBack()) && waited < 150_000; waited += 100)
    await sleep(100);
  await sleep(3_000);
  ended = true;
  const served = await Promise.race([
    Promise.all([...clients, probe]).then(() => true),
    sleep(60_000),
  ]);
  const usable = service.exitCode === null ? await usableConnections(meters[0] ?? '') : 0;
  const during = answers.filter(({ began, ended }) => ended > begin && began < end + 100);
  const tally = (of: string) => {
    const counts = new Map<number | string, number>();
    for (const { path, status } of during) {
      if (path.includes(of)) counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    return [...counts].map(([status, n]) => `${status}×${n}`).join(' ');
  };
  const longest = Math.max(...answers.map(({ began, ended }) => ended - began));
  const untrue = answers.find(
    ({ path, status, began }) => path === '/ready' && status !== 200 && began > begin,
  );
  process.stdout.write(
    `${name} | back ${seconds((back()?.ended ?? Number.NaN) - end)} | ready ${seconds((readyBack()?.ended ?? Number.NaN) - end)} | usable ${usable} of ${poolSize} | writes ${tally('meters')} | reads ${tally('products')} | /ready ${tally('ready')} (first refusal after ${seconds((untrue?.began ?? Number.NaN) - begin)}) | longest ${seconds(longest)}${served ? '' : ' | CLIENTS HANG'}\n`,
  );
  await admin.end().catch(() => {});
  service.kill('SIGTERM');
  await once(service, 'exit');

  async function note(method: string, path: string, body?: unknown, headers = {}) {
    const began = performance.now();
    const { status } = await ask(method, path, body, headers);
    answers.push({ path, began, ended: performance.now(), status });
    if (typeof status === 'string') await sleep(20);
  }

  async function ask(method: string, path: string, body?: unknown, headers = {}) {
    try {
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status as number | string, text: await response.text() };
    } catch (error) {
      return { status: ((error as Error).cause as { code?: string })?.code ?? 'failed', text: '' };
    }
  }

  /** How many requests can wait for one row at the same time, each on a connection of the pool. */
  async function usableConnections(id: string) {
    const other = await administrator();
    await other.query('begin');
    await other.query('select 1 from usage_meter where id = $1 for update', [id]);
    const puts = Array.from({ length: 2 * poolSize }, () =>
      ask('PUT', `/api/v1/usage-meters/${id}`, { usageMeter: { name: 'Last' } }),
    );
    let most = 0;
    for (let n = 0; n < 30 && most < poolSize; n++) {
      await sleep(100);
      const { rows } = await other.query(
        `select count(*)::int as n ${backends} and application_name = 'tollgate' and wait_event_type = 'Lock'`,
      );
      most = Math.max(most, rows[0].n);
    }
    await other.query('rollback');
    await other.end();
    await Promise.all(puts);
    return most;
  }
}

async function startService() {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: path.resolve(import.meta.dirname, '..'),
    env: {
      PATH: '/usr/bin:/bin',
      PORT: '0',
      DATABASE_URL: proxy.databaseUrl,
      DATABASE_POOL_SIZE: String(poolSize),
      BOOTSTRAP_SECRET_KEY: key,
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = Promise.withResolvers<string>();
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-10_000);
    const found = /Listening on (http:\/\/[^:]+:\d+)/.exec(text)?.[1];
    if (found) url.resolve(found);
  });
  return Object.assign(child, { url: await url.promise });
}

async function administrator() {
  const client = new pg.Client({ connectionString: postgres.databaseUrl });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** The server's process, and those of its backends. */
async function processes(): Promise<number[]> {
  const [pid = ''] = (
    await fs.readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8')
  ).split('\n');
  const children = await fs.readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.trim().split(' ')].map(Number);
}

async function execute(admin: pg.Client, sql: string) {
  await admin.query(sql);
}

async function holding(admin: pg.Client, statement: string, work: () => Promise<unknown>) {
  const other = await administrator();
  await other.query('begin');
  await other.query(statement);
  await work();
  await other.query('rollback');
  await other.end();
  void admin;
}

function seconds(milliseconds: number) {
  return Number.isNaN(milliseconds) ? 'never' : `${(milliseconds / 1_000).toFixed(1)} s`;
}
