import { chown, cp, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { prepareDatabase } from '#server/database/database.ts';
import { embeddedUrls } from '#server/database/database-roles.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { serverOf } from '../fleet/databases.ts';
import { until } from '../fleet/member.ts';
import { sendSignal } from '../fleet/send-signal.ts';

/** A prepared primary and a standby that streams from it. */
export interface Pair extends AsyncDisposable {
  /** The addresses for the role of the service. */
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  /** Executes SQL at the standby as its administrator. */
  atReplica(sql: string): Promise<unknown[]>;
  /** Stops all processes of the standby as a frozen machine does, or continues them. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/** Starts a primary and a standby of it, both with the programs of the embedded database. */
export async function aPair(): Promise<Pair> {
  await using started = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-pair-'));
  started.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 9 }));
  const [first, second] = [path.join(folder, 'primary'), path.join(folder, 'replica')];
  const created = await startEmbeddedPostgres({ dataDir: first });
  const urls = await embeddedUrls(created.databaseUrl);
  await prepareDatabase(urls.ownerUrl, { serviceUrl: urls.serviceUrl, now: new Date() });
  await created[Symbol.asyncDispose]();
  await cp(first, second, { recursive: true, preserveTimestamps: true });
  const primary = started.use(await startEmbeddedPostgres({ dataDir: first }));
  await follow(path.join(second, 'postgres'), path.join(first, 'postgres'), primary.databaseUrl);
  const replica = started.use(await startEmbeddedPostgres({ dataDir: second }));
  const data = path.join(second, 'postgres');
  await until('the standby to stream', () => isStreaming(primary.databaseUrl));
  const { serviceUrl } = await embeddedUrls(primary.databaseUrl);
  const { port } = new URL(replica.databaseUrl);
  const running = started.move();
  return {
    primaryUrl: serviceUrl,
    replicaUrl: Object.assign(new URL(serviceUrl), { port }).href,
    atReplica: (sql) => query(replica.databaseUrl, sql),
    freeze: () => signal(data, 'SIGSTOP'),
    thaw: () => signal(data, 'SIGCONT'),
    [Symbol.asyncDispose]: async () => {
      await signal(data, 'SIGCONT');
      await running.disposeAsync();
    },
  };
}

/** Makes a copy of a folder follow the server at an address. */
async function follow(copy: string, original: string, primaryUrl: string) {
  const { hostname, port, username, password } = new URL(primaryUrl);
  const login = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  const { uid, gid } = await stat(original);
  for (const [name, content] of [
    ['standby.signal', ''],
    ['postgresql.auto.conf', `primary_conninfo = '${login}'\n`],
  ] as const) {
    await writeFile(path.join(copy, name), content, { mode: 0o600 });
  }
  await own(copy, uid, gid);
}

/** A copy belongs to the user of this process at first. */
async function own(folder: string, uid: number, gid: number) {
  const entries = await readdir(folder, { recursive: true });
  for (const entry of ['.', ...entries]) await chown(path.join(folder, entry), uid, gid);
}

const isStreaming = async (url: string) =>
  (await query(url, `select 1 from pg_stat_replication where state = 'streaming'`)).length > 0;

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function signal(data: string, name: 'SIGSTOP' | 'SIGCONT') {
  for (const id of await serverOf(data)) sendSignal(id, name);
}
