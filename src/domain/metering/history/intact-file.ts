import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { HistoryFile } from './history-file.ts';

/** A file of old usage that is missing, or whose content is not the one that was written. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

const chunkBytes = 1024 * 1024;

/** The files whose content has been checked, with the state in which they were. */
const intact = new Map<string, Promise<string>>();

type Content = Pick<HistoryFile, 'path' | 'bytes' | 'sha256'>;

/**
 * Checks that a file is the one that was written, and returns its full path. Its whole content is read once in a
 * process, and again after a change of the file. Errors: DamagedFile.
 */
export async function requireIntact(folder: string, file: Content): Promise<string> {
  const full = path.join(folder, file.path);
  const present = await fileState(full, file);
  const known = intact.get(full);
  // A check that has failed is done again, and reports the failure itself.
  if (known && (await known.catch(() => '')) === present) return full;
  const checked = checkContent(full, file).then(() => present);
  intact.set(full, checked);
  await checked;
  return full;
}

/** Checks size and content of a file. Errors: DamagedFile. */
export async function checkFile(folder: string, file: Content) {
  const full = path.join(folder, file.path);
  await fileState(full, file);
  await checkContent(full, file);
}

/** The state of a file, which differs after each change. Errors: DamagedFile. */
async function fileState(full: string, { bytes }: Content): Promise<string> {
  const found = await stat(full, { bigint: true }).catch((cause: NodeJS.ErrnoException) => {
    throw new DamagedFile(`${full} cannot be read: ${cause.code ?? cause.message}`, { cause });
  });
  if (Number(found.size) !== bytes) {
    throw new DamagedFile(`${full} has ${found.size} bytes, and was written with ${bytes}`);
  }
  return `${found.ino} ${found.mtimeNs} ${found.ctimeNs}`;
}

async function checkContent(full: string, { sha256 }: Content) {
  const found = await sha256OfFile(full).catch((cause: NodeJS.ErrnoException) => {
    throw new DamagedFile(`${full} cannot be read: ${cause.code ?? cause.message}`, { cause });
  });
  if (found !== sha256) throw new DamagedFile(`${full} has another content than was written`);
}

/** The SHA-256 of a file in hexadecimal, read in parts. */
export async function sha256OfFile(full: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(full, { highWaterMark: chunkBytes })) hash.update(part);
  return hash.digest('hex');
}
