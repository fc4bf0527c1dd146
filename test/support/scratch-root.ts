import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
const enoughBytes = 6 * 1024 ** 3;

/**
 * The folder for the databases of tests, each a clone of about 1,000 small files. It is in memory where there is
 * room, otherwise the folder for temporary files.
 */
export async function scratchRoot(): Promise<string> {
  try {
    await access(memory, constants.W_OK);
    const { bavail, bsize } = await statfs(memory);
    return bavail * bsize > enoughBytes ? memory : tmpdir();
  } catch {
    // There is no such folder on this system.
    return tmpdir();
  }
}
