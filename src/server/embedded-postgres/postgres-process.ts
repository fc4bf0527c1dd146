import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataDirError } from './data-dir-lock.ts';
import type { Cluster } from './postgres-cluster.ts';
import { folderArgument, readLines, spawnDetached } from './postgres-program.ts';
import { settings } from './postgres-settings.ts';
import { stopServer } from './stop-server.ts';
import type { SystemUser } from './system-user.ts';
import { within } from './waiting.ts';

interface Server extends AsyncDisposable {
  port: number;
}

const startMilliseconds = 60_000;
const startAttempts = 20;

/**
 * Temporary obstacles: a port that was taken meanwhile, and the remains of a killed server until the system removes
 * them.
 */
const passing = /could not bind|shared memory block .* still in use|lock file .* already exists/;

/** The lines of a start that recovers what was committed; it may take minutes. */
const recovering =
  /automatic recovery in progress|redo (in progress|starts|done)|syncing data directory/;

/** Starts the server, and retries while the obstacle is temporary. */
export async function launch(cluster: Cluster): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launchOnce(cluster);
    } catch (error) {
      if (!passing.test(String(error)) || attempt === startAttempts) throw error;
      await sleep(250);
    }
  }
}

async function launchOnce(cluster: Cluster): Promise<Server> {
  const { folder, user, binaries, version, log, report, onLost } = cluster;
  const port = await findFreePort();
  const args = [
    '-D',
    await folderArgument(folder, user, version.major),
    ...settings(cluster, port),
  ];
  await using resources = new AsyncDisposableStack();
  const child = spawnDetached(binaries.postgres, args, folder, user);
  // `waitUntilReady` reports a server that cannot be spawned.
  const exited = once(child, 'exit').catch(() => undefined);
  const stop = () =>
    stopServer(child.pid, binaries, (milliseconds) => within(milliseconds, exited));
  resources.defer(stop);
  stopWithThisProcess(child, user);
  await waitUntilReady(child, (line) => {
    log(line);
    if (recovering.test(line))
      report(`PostgreSQL recovers after a crash: ${line.replace(/^.*LOG: +/, '')}`);
  });
  resources.move();
  let stopping = false;
  child.once('exit', (code, signal) => {
    if (stopping) return;
    log(`PostgreSQL has ended by itself (${signal ?? code})`);
    onLost();
  });
  // An unused database is no reason for the process to stay.
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

async function waitUntilReady(child: ChildProcess, log: (line: string) => void): Promise<void> {
  let output: string[] = [];
  let written = 0;
  const ready = new Promise<void>((resolve, reject) => {
    output = readLines(child.stderr as Readable, (line) => {
      log(line);
      written += 1;
      // A standby accepts connections that only read.
      if (/ready to accept (read-only )?connections$/.test(line)) resolve();
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error('PostgreSQL has ended during its start')));
  });
  const fail = (reason: string) => new DataDirError(`${reason}\n${output.join('\n')}`.trimEnd());
  const inTime = async () => {
    // A recovery states its progress; it is waited for as long as it does.
    for (let lines = -1; written > lines; ) {
      lines = written;
      if (await within(startMilliseconds, ready)) return true;
    }
    return false;
  };
  const isReady = await inTime().catch((error: Error) => {
    throw fail(error.message);
  });
  if (!isReady) throw fail(`PostgreSQL is not ready after ${startMilliseconds / 1000} seconds`);
}

/**
 * A shell that waits for the end of its input stops the server, so that a killed process (kill -9)
 * leaves none behind. Windows has no such shell. There, and when the shell is killed too, the next
 * start does the same.
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
