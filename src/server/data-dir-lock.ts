import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** An expected refusal with one clear line for the console. */
export class DataDirError extends Error {
  override readonly name = 'DataDirError';
}

/** The exclusive right to a data folder; disposing it releases the folder. */
export interface DataDirLock extends AsyncDisposable {
  /** Tells other processes, which ask with {@link findDatabasePort}, where the database runs. */
  announce(databasePort: number): void;
}

/** What the process behind a lock socket tells; empty when it is alive but gives no answer. */
interface Answer {
  pid?: number;
  state?: 'claiming' | 'owning';
  databasePort?: number;
}

interface Rival extends Answer {
  name: string;
}

// The longest path of a unix socket is 103 bytes on macOS and 107 on Linux.
const SOCKET_PATH_BYTES = 103;
const SOCKET_NAME = /^lock-[0-9a-f]{8}\.sock$/;
const ANSWER_MILLISECONDS = 2_000;
const CLAIM_MILLISECONDS = 3_000;

/** Takes the folder for this process, or throws a {@link DataDirError} that names its owner. */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const answer: Answer = { pid: process.pid, state: 'claiming' };
  const name = `lock-${randomBytes(4).toString('hex')}.sock`;
  const server = net.createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(JSON.stringify(answer));
  });
  // A lock alone is no reason for the process to stay.
  server.unref();
  try {
    await publish(server, dataDir, name);
    await outlastRivals(dataDir, name);
  } catch (error) {
    await release(server, dataDir, name);
    throw error;
  }
  answer.state = 'owning';
  return {
    announce: (databasePort) => {
      answer.databasePort = databasePort;
    },
    [Symbol.asyncDispose]: () => release(server, dataDir, name),
  };
}

/** The port of the database that the owner of the folder runs, if there is one. */
export async function findDatabasePort(dataDir: string): Promise<number | undefined> {
  const rivals = await findRivals(dataDir);
  return rivals.find((rival) => rival.databasePort !== undefined)?.databasePort;
}

/**
 * The lock is a socket that listens: it dies with its process, however that ends, and says nothing
 * about process ids, which a container reuses.
 *
 * Every process has a socket file of its own name. It becomes visible by a rename once it listens,
 * and only then does the process look for others. So of two that start at once, at least the later
 * one sees the other alive, and a file whose process is dead can be removed at any time, because
 * nobody ever listens under that name again. A single well-known name offers neither.
 */
async function publish(server: net.Server, dataDir: string, name: string): Promise<void> {
  try {
    if (process.platform === 'win32') return await listen(server, pipeName(dataDir));
    await withShortPath(dataDir, (folder) => listen(server, path.join(folder, `${name}.new`)));
    await fs.rename(path.join(dataDir, `${name}.new`), path.join(dataDir, name));
  } catch (error) {
    if (isCode(error, 'EADDRINUSE')) throw inUse(dataDir, await ask(pipeName(dataDir)));
    throw new DataDirError(`DATA_DIR ${dataDir} cannot be locked: ${(error as Error).message}`);
  }
}

async function listen(server: net.Server, address: string): Promise<void> {
  // Whoever may use the folder may ask, or the lock of a dead root process would seem alive.
  server.listen({ path: address, readableAll: true, writableAll: true });
  await once(server, 'listening');
}

/** Returns when no other process lives; of several that claim at once the first name stays. */
async function outlastRivals(dataDir: string, name: string): Promise<void> {
  if (process.platform === 'win32') return;
  const deadline = Date.now() + CLAIM_MILLISECONDS;
  for (;;) {
    const rivals = (await findRivals(dataDir)).filter((rival) => rival.name !== name);
    if (rivals.length === 0) return;
    const winner = rivals.find(
      (rival) => rival.state === 'owning' || (rival.state === 'claiming' && rival.name < name),
    );
    if (winner || Date.now() > deadline) throw inUse(dataDir, winner ?? rivals[0]);
    await sleep(20);
  }
}

async function findRivals(dataDir: string): Promise<Rival[]> {
  if (process.platform === 'win32') {
    const answer = await ask(pipeName(dataDir));
    return answer ? [{ ...answer, name: '' }] : [];
  }
  const names = (await fs.readdir(dataDir)).filter((name) => SOCKET_NAME.test(name));
  const rivals: Rival[] = [];
  for (const name of names) {
    const answer = await withShortPath(dataDir, (folder) => ask(path.join(folder, name)));
    if (answer) rivals.push({ ...answer, name });
    else await fs.rm(path.join(dataDir, name), { force: true });
  }
  return rivals;
}

/** Undefined when nobody listens at the address. */
async function ask(address: string): Promise<Answer | undefined> {
  const socket = net.connect(address).setEncoding('utf8');
  socket.setTimeout(ANSWER_MILLISECONDS, () => socket.destroy());
  let text = '';
  try {
    for await (const chunk of socket) text += chunk;
    return JSON.parse(text) as Answer;
  } catch (error) {
    return isCode(error, 'ECONNREFUSED', 'ENOENT') ? undefined : {};
  }
}

async function release(server: net.Server, dataDir: string, name: string): Promise<void> {
  await fs.rm(path.join(dataDir, name), { force: true });
  server.close();
}

/** Lends the folder under a path that leaves room for the name of a socket. */
async function withShortPath<T>(folder: string, use: (folder: string) => Promise<T>): Promise<T> {
  const longest = path.join(folder, 'lock-00000000.sock.new');
  if (Buffer.byteLength(longest) <= SOCKET_PATH_BYTES) return use(folder);
  const shortcut = await fs.mkdtemp(path.join(os.tmpdir(), 'tollgate-'));
  try {
    await fs.symlink(folder, path.join(shortcut, 'd'));
    return await use(path.join(shortcut, 'd'));
  } finally {
    await fs.rm(shortcut, { recursive: true });
  }
}

/** Windows has no socket files; a named pipe belongs to one process and dies with it. */
function pipeName(dataDir: string): string {
  const digest = createHash('sha256').update(dataDir.toLowerCase()).digest('hex');
  return `\\\\.\\pipe\\tollgate-${digest.slice(0, 32)}`;
}

function inUse(dataDir: string, owner: Answer | undefined): DataDirError {
  const who = owner?.pid ? ` (pid ${owner.pid})` : '';
  return new DataDirError(
    `DATA_DIR ${dataDir} is in use by another Tollgate process${who}; ` +
      'stop it, or set another DATA_DIR',
  );
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
