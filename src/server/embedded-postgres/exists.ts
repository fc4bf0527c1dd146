import fs from 'node:fs/promises';

/** Whether the path exists. */
export async function exists(target: string): Promise<boolean> {
  try {
    await fs.stat(target);
    return true;
  } catch (error) {
    // Anything else than this, such as a lack of rights, must not pass for a first start.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
