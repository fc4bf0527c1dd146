import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Installs the packages of a folder that has a lockfile of its own, where they are missing or differ from it. So
 * `npm ci` of the repository does not install what only few commands need. Answers whether it installed.
 */
export async function installPackages(folder: string): Promise<boolean> {
  const lockfile = path.join(folder, 'package-lock.json');
  const installed = path.join(folder, 'node_modules', '.installed-lock.json');
  const [wanted, present] = await Promise.all([
    readFile(lockfile, 'utf8'),
    readFile(installed, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    }),
  ]);
  if (wanted === present) return false;
  const place = path.relative(process.cwd(), folder) || '.';
  process.stderr.write(`Installing the packages of ${place} …\n`);
  // npm is a script of the shell on Windows.
  const npm = spawn('npm ci', { cwd: folder, shell: true, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(npm, 'exit');
  if (code !== 0) {
    throw new Error(
      `The packages of ${place} are not installed: \`npm ci\` in this folder ended with ${code}, and its message is above. It needs npm and the registry that npm is set to`,
    );
  }
  await copyFile(lockfile, installed);
  return true;
}
