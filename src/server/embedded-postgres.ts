import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import readline from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { DataDirError, findDatabasePort, lockDataDir } from './data-dir-lock.ts';
import {
  findBarrier,
  findPostgresUser,
  locateBinaries,
  type PostgresBinaries,
  type SystemUser,
} from './postgres-binaries.ts';

export { DataDirError };

/** A PostgreSQL server of this process; disposing it stops the server and frees the folder. */
export interface EmbeddedPostgres extends AsyncDisposable {
  /** Where the server listens, with the password: `postgresql://…@127.0.0.1:<port>/tollgate`. */
  readonly databaseUrl: string;
}

export interface EmbeddedPostgresOptions {
  /** The folder that keeps the data; it is created when missing and belongs to one process. */
  dataDir: string;
  /** False gives up safety against power failure for speed, which suits tests. Default: true. */
  durable?: boolean;
  /** Receives what PostgreSQL reports, line by line. */
  log?: (line: string) => void;
}

/** A database cluster on disk and all it takes to run it. */
interface Cluster {
  home: string;
  folder: string;
  password: string;
  durable: boolean;
  binaries: PostgresBinaries;
  user: SystemUser | undefined;
  log: (line: string) => void;
}

interface Server extends AsyncDisposable {
  port: number;
}

const START_MILLISECONDS = 60_000;
const STOP_MILLISECONDS = 10_000;
const START_ATTEMPTS = 20;
const OUTPUT_LINES = 20;
// PostgreSQL accepts any setting with a dot in it; this one tells in the process list whose it is.
const FOLDER_SETTING = 'tollgate.data_dir';

const run = promisify(execFile);

/** Starts the PostgreSQL server of a folder; the first start creates its database. */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { dataDir, durable = true, log = () => {} } = options;
  const home = await openDataDir(dataDir);
  await using resources = new AsyncDisposableStack();
  const lock = resources.use(await lockDataDir(home));
  const folder = path.join(home, 'postgres');
  const user = await findPostgresUser(folder);
  const binaries = await locateBinaries(user);
  const password = await readOrCreatePassword(home);
  const cluster = { home, folder, password, durable, binaries, user, log };
  await createCluster(cluster);
  await stopOrphan(cluster);
  const server = resources.use(await launch(cluster));
  await createDatabase(cluster, server.port);
  lock.announce(server.port);
  const running = resources.move();
  let stopped: Promise<void> | undefined;
  return {
    databaseUrl: databaseUrl(password, server.port),
    [Symbol.asyncDispose]: () => {
      stopped ??= running.disposeAsync();
      return stopped;
    },
  };
}

/** The address of the database that another process runs in dataDir right now, if any. */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const home = await fs.realpath(dataDir).catch(() => undefined);
  const port = home && (await findDatabasePort(home));
  return port ? databaseUrl(await readPassword(home), port) : undefined;
}

function databaseUrl(password: string, port: number): string {
  return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/tollgate`;
}

async function openDataDir(dataDir: string): Promise<string> {
  const folder = path.resolve(dataDir);
  try {
    // As root the server runs as another user, who has to pass through to its own folder.
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
    await fs.mkdir(folder, { recursive: true, mode });
    return await fs.realpath(folder);
  } catch (error) {
    throw new DataDirError(`DATA_DIR ${folder} cannot be used: ${(error as Error).message}`);
  }
}

async function readPassword(home: string): Promise<string> {
  return (await fs.readFile(path.join(home, 'password'), 'utf8')).trim();
}

async function readOrCreatePassword(home: string): Promise<string> {
  const file = path.join(home, 'password');
  if (await exists(file)) return readPassword(home);
  if (await exists(path.join(home, 'postgres', 'PG_VERSION'))) {
    throw new DataDirError(
      `DATA_DIR ${home} holds a database but no longer its file password; restore that file`,
    );
  }
  const password = randomBytes(24).toString('base64url');
  await fs.writeFile(`${file}.new`, password, { mode: 0o600, flush: true });
  await fs.rename(`${file}.new`, file);
  return password;
}

/** The cluster gets its name only when it is complete, so that an interrupted start leaves none. */
async function createCluster(cluster: Cluster): Promise<void> {
  const { home, folder, user, durable, binaries, log } = cluster;
  for (const name of await fs.readdir(home)) {
    // An initdb that has outlived its owner may still add files while they are removed.
    const leftover = path.join(home, name);
    if (name.startsWith('initdb-')) await fs.rm(leftover, { recursive: true, maxRetries: 9 });
  }
  if (await exists(path.join(folder, 'PG_VERSION'))) return;
  const draft = await fs.mkdtemp(path.join(home, 'initdb-'));
  const data = path.join(draft, 'data');
  const passwordFile = path.join(draft, 'password');
  await fs.mkdir(data, { mode: 0o700 });
  await fs.writeFile(passwordFile, cluster.password, { mode: 0o600 });
  if (user) {
    for (const entry of [draft, data, passwordFile]) await fs.chown(entry, user.uid, user.gid);
  }
  const args = ['-D', await folderArgument(data, user), '--pwfile=../password'];
  args.push('--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C');
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions');
  const child = spawnDetached(binaries.initdb, durable ? args : [...args, '--no-sync'], data, user);
  const output = readLines(child.stderr, log);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`PostgreSQL's initdb has failed:\n${output.join('\n')}`);
  await fs.rename(data, folder);
  if (durable && process.platform !== 'win32') await syncFolder(home);
  await fs.rm(draft, { recursive: true });
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await fs.open(folder);
  await handle.sync();
}

/**
 * How to name the folder to a program that runs in it as the user. A process may be in a folder
 * whose parents it may not enter, which is so for a checkout in /root: the working directory is set
 * while the child is still root. There, /proc/self/cwd leads past the parents, and an absolute path,
 * which PostgreSQL makes out of any relative one, does not.
 */
async function folderArgument(folder: string, user: SystemUser | undefined): Promise<string> {
  const barrier = user && (await findBarrier(folder, user));
  if (!barrier) return folder;
  if (await exists('/proc/self/cwd')) return '/proc/self/cwd';
  throw new DataDirError(
    `DATA_DIR is out of reach for the system user postgres, who may not enter ${barrier}; ` +
      `chmod o+x ${barrier}, or set DATA_DIR to a folder elsewhere`,
  );
}

/**
 * The child gets a session of its own. Otherwise Ctrl-C in a terminal, which signals the whole
 * process group, would stop the database while requests are still on their way.
 */
function spawnDetached(file: string, args: string[], cwd: string, user: SystemUser | undefined) {
  // The child sees no environment, because that holds the secrets of the service.
  const env = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };
  return spawn(file, args, {
    cwd,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(process.platform === 'win32' ? {} : { env }),
    ...user,
  });
}

/** Passes lines on and returns a list that always holds the last ones. */
function readLines(stream: Readable, log: (line: string) => void): string[] {
  const latest: string[] = [];
  readline.createInterface({ input: stream }).on('line', (line) => {
    latest.push(line);
    if (latest.length > OUTPUT_LINES) latest.shift();
    log(line);
  });
  return latest;
}

/** Starts the server until it gets a port and the shared memory of a crashed one is gone. */
async function launch(cluster: Cluster): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launchOnce(cluster);
    } catch (error) {
      const passes = /could not bind|shared memory block .* still in use/.test(String(error));
      if (!passes || attempt === START_ATTEMPTS) throw error;
      await sleep(250);
    }
  }
}

async function launchOnce(cluster: Cluster): Promise<Server> {
  const { folder, user, binaries, log } = cluster;
  const port = await findFreePort();
  const args = ['-D', await folderArgument(folder, user), ...settings(cluster, port)];
  await using resources = new AsyncDisposableStack();
  const child = spawnDetached(binaries.postgres, args, folder, user);
  const exited = once(child, 'exit').catch(() => undefined);
  const stop = () =>
    stopServer(child.pid, binaries, (milliseconds) => within(milliseconds, exited));
  resources.defer(stop);
  stopWithThisProcess(child, user);
  await waitUntilReady(child, log);
  resources.move();
  let stopping = false;
  child.once('exit', (code, signal) => {
    if (!stopping) log(`PostgreSQL has ended by itself (${signal ?? code})`);
  });
  // A database that nobody uses any more is no reason for the process to stay.
  child.unref();
  if (child.stderr instanceof net.Socket) child.stderr.unref();
  return {
    port,
    [Symbol.asyncDispose]: () => {
      stopping = true;
      return stop();
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function settings({ folder, durable }: Cluster, port: number): string[] {
  const shared = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: durable ? '256MB' : '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The start waits for a line of this output, so a postgresql.conf must not send it elsewhere.
    log_destination: 'stderr',
    logging_collector: 'off',
    lc_messages: 'C',
    log_line_prefix: '[%p] ',
  };
  const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const all = { ...shared, ...(durable ? {} : fast), [FOLDER_SETTING]: folder };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function waitUntilReady(child: ChildProcess, log: (line: string) => void): Promise<void> {
  let output: string[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    output = readLines(child.stderr as Readable, (line) => {
      log(line);
      if (line.endsWith('database system is ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error('PostgreSQL has ended during its start')));
  });
  const fail = (reason: string) => new Error(`${reason}\n${output.join('\n')}`.trimEnd());
  const inTime = await within(START_MILLISECONDS, ready).catch((error: Error) => {
    throw fail(error.message);
  });
  if (!inTime) throw fail(`PostgreSQL is not ready after ${START_MILLISECONDS / 1000} seconds`);
}

/**
 * A shell that waits for the end of its input stops the server, so that a process that dies without
 * a word (kill -9) leaves none behind. Windows has no such shell; there and when the shell is killed
 * too, {@link stopOrphan} of the next start does the same.
 */
function stopWithThisProcess(server: ChildProcess, user: SystemUser | undefined): void {
  if (process.platform === 'win32' || server.pid === undefined) return;
  const shell = spawn('/bin/sh', ['-c', 'read -r line; kill -INT "$0"', String(server.pid)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
    ...user,
  });
  shell.on('error', () => undefined);
  shell.unref();
  if (shell.stdin instanceof net.Socket) shell.stdin.unref();
  server.once('exit', () => shell.kill('SIGKILL'));
}

async function createDatabase({ home, password }: Cluster, port: number): Promise<void> {
  const host = '127.0.0.1';
  const login = { host, port, user: 'postgres', password, database: 'postgres', ssl: false };
  const client = new pg.Client(login);
  try {
    await client.connect();
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = 'tollgate'");
    if (found.rowCount === 0) await client.query('CREATE DATABASE tollgate');
  } catch (error) {
    if ((error as pg.DatabaseError).code !== '28P01') throw error;
    throw new DataDirError(`The file ${home}/password does not hold the password of its database`);
  } finally {
    await client.end();
  }
}

/** Stops a server whose owner is dead; the lock says that nobody else uses it. */
async function stopOrphan({ folder, binaries, log }: Cluster): Promise<void> {
  const pidFile = path.join(folder, 'postmaster.pid');
  const content = await fs.readFile(pidFile, 'utf8').catch(() => '');
  const pid = Number.parseInt(content, 10);
  if (!(pid > 0) || !isAlive(pid)) return;
  const serves = await servesFolder(pid, folder);
  if (serves) {
    log(`PostgreSQL still runs for an owner that is gone (pid ${pid}), stopping it`);
    await stopServer(pid, binaries, (milliseconds) =>
      comesTrue(milliseconds, async () => !(await servesFolder(pid, folder))),
    );
  }
  // PostgreSQL refuses to start when the process id of a dead server belongs to another program.
  if (serves === false) await fs.rm(pidFile, { force: true });
}

/** Whether the process is the server of the folder; undefined when there is no way to tell. */
async function servesFolder(pid: number, folder: string): Promise<boolean | undefined> {
  const command = await readCommand(pid);
  if (command === undefined) return undefined;
  if (!command.includes('postgres')) return false;
  // The working directory is the proof, also when the folder was moved. In a container even root
  // may lack the right to see it.
  const cwd = await fs.stat(`/proc/${pid}/cwd`).catch(() => undefined);
  const own = await fs.stat(folder);
  if (cwd) return cwd.dev === own.dev && cwd.ino === own.ino;
  return command.endsWith(`${FOLDER_SETTING}=${folder}`) || undefined;
}

/** The command line of a process, empty for one that has ended, undefined when unknown. */
async function readCommand(pid: number): Promise<string | undefined> {
  try {
    if (!isAlive(pid)) return '';
    if (process.platform === 'win32') return undefined;
    if (process.platform !== 'linux') {
      const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
      return stdout.trim();
    }
    const command = await fs.readFile(`/proc/${pid}/cmdline`, 'utf8');
    return command.replaceAll('\0', ' ').trim();
  } catch {
    return isAlive(pid) ? undefined : '';
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Interrupts the work in progress (fast shutdown); a server that hangs is stopped the hard way. */
async function stopServer(
  pid: number | undefined,
  binaries: PostgresBinaries,
  ends: (milliseconds: number) => Promise<boolean>,
): Promise<void> {
  if (pid === undefined || (await ends(0))) return;
  for (const signal of ['INT', 'QUIT', 'KILL']) {
    await sendSignal(pid, signal, binaries);
    if (await ends(STOP_MILLISECONDS)) return;
  }
  throw new Error(`PostgreSQL (pid ${pid}) does not end`);
}

async function sendSignal(pid: number, signal: string, binaries: PostgresBinaries): Promise<void> {
  try {
    // Windows has no signals; PostgreSQL brings its own there.
    if (process.platform === 'win32') await run(binaries.pg_ctl, ['kill', signal, String(pid)]);
    else process.kill(pid, `SIG${signal}`);
  } catch (error) {
    if (isAlive(pid)) throw error;
  }
}

/** Whether the event comes in time. */
async function within(milliseconds: number, event: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const timeout = sleep(milliseconds, false, { signal: timer.signal });
  try {
    return await Promise.race([event.then(() => true), timeout]);
  } finally {
    timer.abort();
  }
}

/** Whether the condition holds in time. */
async function comesTrue(milliseconds: number, holds: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (!(await holds())) {
    if (Date.now() >= deadline) return false;
    await sleep(20);
  }
  return true;
}

async function exists(target: string): Promise<boolean> {
  try {
    await fs.stat(target);
    return true;
  } catch (error) {
    // Anything else than this, such as a lack of rights, must not pass for a first start.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
