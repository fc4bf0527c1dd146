import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import {
  DataDirError,
  type EmbeddedPostgres,
  findRunningPostgres,
  startEmbeddedPostgres,
} from '#server/embedded-postgres/embedded-postgres.ts';
import { scratchRoot } from '../../support/scratch-root.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

test('keeps its data over a restart', async () => {
  const dataDir = await createDataDir();
  {
    await using postgres = await start(dataDir);
    await query(postgres.databaseUrl, 'CREATE TABLE invoice AS SELECT 42 AS total');
  }
  await using postgres = await start(dataDir);
  expect(await query(postgres.databaseUrl, 'SELECT total FROM invoice')).toEqual([{ total: 42 }]);
});

test('listens on the loopback address only and stores its password for the owner only', async () => {
  const dataDir = await createDataDir();
  await using postgres = await start(dataDir);
  const rows = await query(
    postgres.databaseUrl,
    `SELECT current_setting('listen_addresses') AS addresses,
            current_setting('unix_socket_directories') AS sockets,
            current_setting('server_encoding') AS encoding,
            current_setting('TimeZone') AS zone`,
  );
  expect(rows).toEqual([{ addresses: '127.0.0.1', sockets: '', encoding: 'UTF8', zone: 'UTC' }]);
  const { mode } = await fs.stat(path.join(dataDir, 'password'));
  expect(mode & 0o077).toBe(0);
  const stranger = new URL(postgres.databaseUrl);
  stranger.password = 'guess';
  await expect(query(stranger.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
});

test('refuses a second start on the same folder while the first runs', async () => {
  const dataDir = await createDataDir();
  const first = await start(dataDir);
  await using _first = first;
  const refusal = start(dataDir);
  await expect(refusal).rejects.toBeInstanceOf(DataDirError);
  await expect(refusal).rejects.toThrow(
    `DATA_DIR ${dataDir} is in use by another Tollgate process (pid ${process.pid}); ` +
      'stop it, or set another DATA_DIR',
  );
  expect(await query(first.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('lets exactly one of several simultaneous starts have the folder', async () => {
  const dataDir = await createDataDir();
  const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => start(dataDir)));
  const winners = attempts.filter((attempt) => attempt.status === 'fulfilled');
  for (const winner of winners) await winner.value[Symbol.asyncDispose]();
  expect(winners).toHaveLength(1);
  for (const attempt of attempts) {
    if (attempt.status === 'rejected') expect(attempt.reason).toBeInstanceOf(DataDirError);
  }
});

test('accepts a folder whose path is too long for a socket', async () => {
  const dataDir = path.join(await createDataDir(), 'a'.repeat(60), 'b'.repeat(60));
  await using postgres = await start(dataDir);
  await expect(start(dataDir)).rejects.toThrow(`DATA_DIR ${dataDir} is in use`);
  expect(await findRunningPostgres(dataDir)).toBe(postgres.databaseUrl);
});

test('tells other processes its address only while it runs', async () => {
  const dataDir = await createDataDir();
  expect(await findRunningPostgres(dataDir)).toBeUndefined();
  const owner = await startOwner(dataDir);
  expect(await findRunningPostgres(dataDir)).toBe(owner.databaseUrl);
  await kill(owner.process);
  expect(await findRunningPostgres(dataDir)).toBeUndefined();
});

test('tells its address while its owner is suspended, and says so to a start', async () => {
  const dataDir = await createDataDir();
  const owner = await startOwner(dataDir);
  owner.process.kill('SIGSTOP');
  expect(await findRunningPostgres(dataDir)).toBe(owner.databaseUrl);
  expect(await query(owner.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await expect(start(dataDir)).rejects.toThrow(
    `DATA_DIR ${dataDir} is in use by another Tollgate process, which does not answer: it is suspended`,
  );
  owner.process.kill('SIGCONT');
  expect(await query(owner.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('takes over from an owner killed with SIGKILL, data intact', async () => {
  const dataDir = await createDataDir();
  const owner = await startOwner(dataDir);
  await query(owner.databaseUrl, 'CREATE TABLE invoice AS SELECT 42 AS total');
  await kill(owner.process);
  await using postgres = await start(dataDir);
  expect(await query(postgres.databaseUrl, 'SELECT total FROM invoice')).toEqual([{ total: 42 }]);
});

test('stops the database of an owner killed with SIGKILL', async () => {
  const owner = await startOwner(await createDataDir());
  await kill(owner.process);
  const answer = () => query(owner.databaseUrl, 'SELECT 1').catch((error) => error.code);
  await expect.poll(answer).toBe('ECONNREFUSED');
});

test('stops the database that an owner has left running, and starts anew', async () => {
  const dataDir = await createDataDir();
  const owner = await startOwner(dataDir);
  process.kill(await findGuard(await readServerPid(dataDir)), 'SIGKILL');
  await kill(owner.process);
  await expect(query(owner.databaseUrl, 'SELECT no_such_column')).rejects.toThrow('no_such_column');
  await query(owner.databaseUrl, 'CREATE TABLE invoice AS SELECT 42 AS total');

  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  await using postgres = await startEmbeddedPostgres({ dataDir, durable: false, log });
  expect(lines.join('\n')).toContain('still runs for an owner that is gone');
  expect(lines.join('\n')).not.toContain('was not properly shut down');
  expect(await query(postgres.databaseUrl, 'SELECT total FROM invoice')).toEqual([{ total: 42 }]);
  await expect(query(owner.databaseUrl, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
});

test('keeps every commit when the database was killed together with its owner', async () => {
  const dataDir = await createDataDir();
  const owner = await startOwner(dataDir, { durable: true });
  await query(owner.databaseUrl, 'CREATE TABLE invoice AS SELECT 42 AS total');
  const server = await readServerPid(dataDir);
  process.kill(server, 'SIGKILL');
  await kill(owner.process);
  await using postgres = await start(dataDir);
  expect(await query(postgres.databaseUrl, 'SELECT total FROM invoice')).toEqual([{ total: 42 }]);
});

test('starts although another program has got the process id of the dead database', async () => {
  const dataDir = await createDataDir();
  await (await start(dataDir))[Symbol.asyncDispose]();
  const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    ...(await readOwner(path.join(dataDir, 'postgres'))),
    stdio: 'ignore',
  });
  onTestFinished(() => void stranger.kill('SIGKILL'));
  const pidFile = path.join(dataDir, 'postgres/postmaster.pid');
  await fs.writeFile(pidFile, `${stranger.pid}\n${path.dirname(pidFile)}\n`);
  await using postgres = await start(dataDir);
  expect(await query(postgres.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
});

test('starts below a folder that other users cannot enter', async ({ skip }) => {
  skip(process.getuid?.() !== 0, 'only root runs PostgreSQL as another user');
  const parent = await createDataDir();
  await fs.chmod(parent, 0o700);
  await using postgres = await start(path.join(parent, 'data'));
  const sql = "SELECT current_setting('data_directory') AS folder";
  expect(await query(postgres.databaseUrl, sql)).toEqual([{ folder: '/proc/self/cwd' }]);
});

test('recovers from an interrupted initdb', async () => {
  const dataDir = await createDataDir();
  const owner = spawnOwner(dataDir);
  await waitForEntry(dataDir, /^initdb-\w+\/data\/base$/);
  await kill(owner);
  expect(await fs.readdir(dataDir)).not.toContain('postgres');
  await using postgres = await start(dataDir);
  expect(await query(postgres.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  const leftovers = (await fs.readdir(dataDir)).filter((name) => name.startsWith('initdb-'));
  expect(leftovers).toEqual([]);
});

test('states in the error why PostgreSQL does not start', async () => {
  const dataDir = await createDataDir();
  await (await start(dataDir))[Symbol.asyncDispose]();
  await fs.appendFile(path.join(dataDir, 'postgres/postgresql.conf'), 'wal_level = sideways\n');
  await expect(start(dataDir)).rejects.toThrow('invalid value for parameter "wal_level"');
});

async function createDataDir(): Promise<string> {
  const folder = await fs.realpath(
    await fs.mkdtemp(path.join(await scratchRoot(), 'tollgate-embedded-')),
  );
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function start(dataDir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, durable: false });
}

async function query(databaseUrl: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A process that starts the database, prints its address and stays until it is killed. */
function spawnOwner(dataDir: string, { durable = false } = {}) {
  const script = `
    import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
    const options = ${JSON.stringify({ dataDir, durable })};
    const { databaseUrl } = await startEmbeddedPostgres(options);
    console.log(databaseUrl);
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: REPOSITORY,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => kill(child));
  return child;
}

async function startOwner(dataDir: string, options?: { durable: boolean }) {
  const owner = spawnOwner(dataDir, options);
  const [line] = await once(owner.stdout, 'data');
  return { process: owner, databaseUrl: String(line).trim() };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function readServerPid(dataDir: string): Promise<number> {
  return Number.parseInt(
    await fs.readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'),
    10,
  );
}

/** The process that stops the server when its owner dies. */
async function findGuard(server: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,command=']);
  const line = stdout.split('\n').find((entry) => entry.endsWith(`kill -INT "$0" ${server}`));
  return Number.parseInt(line ?? '', 10);
}

async function readOwner(folder: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const { uid, gid } = await fs.stat(folder);
  return { uid, gid };
}

async function waitForEntry(folder: string, pattern: RegExp): Promise<void> {
  for (;;) {
    const names = await fs.readdir(folder, { recursive: true }).catch(() => []);
    if (names.some((name) => pattern.test(name))) return;
    await sleep(5);
  }
}
