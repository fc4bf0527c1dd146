import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runningTime } from '#engines/process/running-time.ts';
import { ifExists } from './exists.ts';
import { type Answer, ask, isCode, listen, pipeName, withShortPath } from './lock-socket.ts';

/** An expected refusal with one clear line for the console. */
export class DataDirError extends Error {
  override readonly name = 'DataDirError';
}

/** The exclusive right to a data folder; disposing it releases the folder. */
export interface DataDirLock extends AsyncDisposable {
  /** Tells other processes, which ask with {@link findDatabasePort}, where the database runs. */
  announce(databasePort: number): void;
}

interface Rival extends Answer {
  name: string;
}

const socketName = /^lock-[0-9a-f]{8}\.sock$/;
const claimMilliseconds = 3_000;

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

/**
 * The port of the database that the owner of the folder runs, if there is one. An owner that is alive and does not answer
 * has its database all the same: then the port is that of the server's own file.
 */
export async function findDatabasePort(dataDir: string): Promise<number | undefined> {
  const rivals = await findRivals(dataDir);
  const known = rivals.find((rival) => rival.databasePort !== undefined)?.databasePort;
  return known ?? (rivals.some(({ isSilent }) => isSilent) ? portOfServer(dataDir) : undefined);
}

/** The port in the file of a server that accepts connections. */
async function portOfServer(dataDir: string): Promise<number | undefined> {
  const file = path.join(dataDir, 'postgres', 'postmaster.pid');
  const lines = ((await ifExists(fs.readFile(file, 'utf8'))) ?? '').split('\n');
  return lines[7]?.trim() === 'ready' ? Number(lines[3]) : undefined;
}

/**
 * The lock is a listening socket. It dies with its process, however that ends, and does not depend
 * on process ids, which a container reuses. Every process has a socket file of its own name. It
 * becomes visible by a rename once it listens, and only then does the process look for others. So
 * of two that start at once, at least the later one sees the other alive. A file whose process is
 * dead can be removed at any time, because no process ever listens under that name again. A single
 * well-known name offers neither.
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

/** Returns when no other process lives; of several that claim at once the first name stays. */
async function outlastRivals(dataDir: string, name: string): Promise<void> {
  if (process.platform === 'win32') return;
  const deadline = runningTime() + claimMilliseconds;
  for (;;) {
    const rivals = (await findRivals(dataDir)).filter((rival) => rival.name !== name);
    if (rivals.length === 0) return;
    const winner = rivals.find(
      (rival) => rival.state === 'owning' || (rival.state === 'claiming' && rival.name < name),
    );
    if (winner || runningTime() > deadline) throw inUse(dataDir, winner ?? rivals[0]);
    await sleep(20);
  }
}

async function findRivals(dataDir: string): Promise<Rival[]> {
  if (process.platform === 'win32') {
    const answer = await ask(pipeName(dataDir));
    return answer ? [{ ...answer, name: '' }] : [];
  }
  const names = (await fs.readdir(dataDir)).filter((name) => socketName.test(name));
  const rivals: Rival[] = [];
  for (const name of names) {
    const answer = await withShortPath(dataDir, (folder) => ask(path.join(folder, name)));
    if (answer) rivals.push({ ...answer, name });
    else await fs.rm(path.join(dataDir, name), { force: true });
  }
  return rivals;
}

async function release(server: net.Server, dataDir: string, name: string): Promise<void> {
  await fs.rm(path.join(dataDir, name), { force: true });
  server.close();
}

function inUse(dataDir: string, owner: Answer | undefined): DataDirError {
  const who = owner?.pid ? ` (pid ${owner.pid})` : '';
  return new DataDirError(
    owner?.isSilent
      ? `DATA_DIR ${dataDir} is in use by another Tollgate process, which does not answer: it is suspended, ` +
          'or the machine is too busy. Try again, or end that process if it never answers'
      : `DATA_DIR ${dataDir} is in use by another Tollgate process${who}; ` +
          'stop it, or set another DATA_DIR',
  );
}
