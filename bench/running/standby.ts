import { once } from 'node:events';
import { chmod, chown, cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { locateBinaries } from '#server/embedded-postgres/postgres-binaries.ts';
import { embeddedBuild } from '#server/embedded-postgres/postgres-builds.ts';
import { spawnDetached } from '#server/embedded-postgres/postgres-program.ts';
import { findPostgresUser } from '#server/embedded-postgres/system-user.ts';
import { freePort, startWorker } from './processes.ts';

const longestWaitMilliseconds = 30_000;

/**
 * Starts an empty database whose commits wait for the disk and for a standby behind a link with a round trip of 2 ms.
 * Both servers end with `opened`. Returns the address.
 */
export async function startReplicated(opened: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'));
  await chmod(folder, 0o711);
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'primary');
  const copy = join(folder, 'standby');
  await (await startEmbeddedPostgres({ dataDir }))[Symbol.asyncDispose]();
  // The copy of a stopped server needs no backup.
  await cp(join(dataDir, 'postgres'), copy, { recursive: true });
  const { databaseUrl } = opened.use(await startEmbeddedPostgres({ dataDir }));
  const primary = new URL(databaseUrl);
  const linkPort = await freePort();
  const link = opened.use(startWorker('bench/load/slow-link.ts', [String(linkPort), primary.port]));
  await link.ask('start');
  opened.use(
    await startStandby(
      copy,
      `host=127.0.0.1 port=${linkPort} user=postgres password=${decodeURIComponent(primary.password)}`,
    ),
  );

  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query(`alter system set synchronous_standby_names = '*'`);
    await client.query('select pg_reload_conf()');
    const began = performance.now();
    for (;;) {
      const { rowCount } = await client.query(
        `select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`,
      );
      if (rowCount) break;
      if (performance.now() - began > longestWaitMilliseconds)
        throw new Error('There is no standby');
      await sleep(100);
    }
  } finally {
    await client.end();
  }
  return databaseUrl;
}

async function startStandby(folder: string, primary: string): Promise<AsyncDisposable> {
  await writeFile(join(folder, 'standby.signal'), '');
  await writeFile(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
  const user = await findPostgresUser(join(folder, '..', 'primary', 'postgres'));
  if (user) await ownedBy(folder, user);
  const { postgres } = await locateBinaries(await embeddedBuild(), user);
  const args = ['-D', folder, '-p', String(await freePort()), '-c', 'unix_socket_directories='];
  const child = spawnDetached(postgres, [...args, '-c', 'max_connections=200'], folder, user);
  child.stderr?.resume();
  return {
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      await exited;
    },
  };
}

async function ownedBy(folder: string, { uid, gid }: { uid: number; gid: number }) {
  await chown(folder, uid, gid);
  await chmod(folder, 0o700);
  for (const name of await readdir(folder, { recursive: true }))
    await chown(join(folder, name), uid, gid);
}
