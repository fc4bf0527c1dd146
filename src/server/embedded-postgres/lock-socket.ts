import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** The answer of the process behind a lock socket. */
export interface Answer {
  /** Set for a process that is alive, but does not answer: it is frozen, or the machine is too busy. */
  isSilent?: true;
  pid?: number;
  state?: 'claiming' | 'owning';
  databasePort?: number;
}

// The longest path of a unix socket is 103 bytes on macOS and 107 on Linux.
const socketPathBytes = 103;
const answerMilliseconds = 2_000;

/** Binds a server to the address of a lock. */
export async function listen(server: net.Server, address: string): Promise<void> {
  // Every user of the folder may connect, or the lock of a dead root process would seem alive.
  server.listen({ path: address, readableAll: true, writableAll: true });
  await once(server, 'listening');
}

/** Undefined when no process listens at the address. */
export async function ask(address: string): Promise<Answer | undefined> {
  const socket = net.connect(address).setEncoding('utf8');
  socket.setTimeout(answerMilliseconds, () => socket.destroy());
  let text = '';
  try {
    for await (const chunk of socket) text += chunk;
    return JSON.parse(text) as Answer;
  } catch (error) {
    // Any other failure, also a broken answer, comes from a process that lives.
    return isCode(error, 'ECONNREFUSED', 'ENOENT') ? undefined : { isSilent: true };
  }
}

/** Lends the folder under a path that leaves room for the name of a socket. */
export async function withShortPath<T>(
  folder: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const longest = path.join(folder, 'lock-00000000.sock.new');
  if (Buffer.byteLength(longest) <= socketPathBytes) return use(folder);
  const shortcut = await fs.mkdtemp(path.join(os.tmpdir(), 'tollgate-'));
  try {
    await fs.symlink(folder, path.join(shortcut, 'd'));
    return await use(path.join(shortcut, 'd'));
  } finally {
    await fs.rm(shortcut, { recursive: true });
  }
}

/** Windows has no socket files; a named pipe belongs to one process and dies with it. */
export function pipeName(dataDir: string): string {
  const digest = createHash('sha256').update(dataDir.toLowerCase()).digest('hex');
  return `\\\\.\\pipe\\tollgate-${digest.slice(0, 32)}`;
}

/** Whether an error of the operating system is one of these. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
