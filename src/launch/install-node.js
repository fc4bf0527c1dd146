import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.js';

const windows = process.platform === 'win32';

/** Node of the package `node`, which may not be there. */
export const packagedNode = (root) =>
  join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');

/**
 * Runs the script of the package `node`, which npm itself does not run: only a machine whose Node is too old needs its
 * 120 MB. Its headers are half as much again, and serve add-ons that are compiled, of which there are none.
 */
export async function installNode(root) {
  const folder = join(root, 'node_modules', 'node');
  await run(process.execPath, ['installArchSpecificPackage.js'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  if (!existsSync(packagedNode(root))) return;
  for (const name of readdirSync(join(folder, 'node_modules'))) {
    if (!name.startsWith('node-')) continue;
    rmSync(join(folder, 'node_modules', name, 'include'), { recursive: true, force: true });
  }
  const command = join(root, 'node_modules', '.bin', 'node');
  if (!windows && !existsSync(command)) symlinkSync(join('..', 'node', 'bin', 'node'), command);
}
