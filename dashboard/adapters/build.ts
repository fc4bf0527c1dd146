import { glob, stat } from 'node:fs/promises';
import path from 'node:path';
import { compilePackage, declareForRequire } from '../compile-package.ts';

/** The packages from which each adapter takes declarations, in the order in which they are built. */
const needed: Readonly<Record<string, readonly string[]>> = {
  webhooks: [],
  next: ['webhooks'],
  'better-auth': [],
};

const here = import.meta.dirname;
const [, , name = ''] = process.argv;
const others = needed[name];
if (!others) throw new Error(`${name} is none of ${Object.keys(needed).join(', ')}`);
if (!(await isCurrent('../client'))) await import('../client/build.ts');
for (const other of others) if (!(await isCurrent(other))) await buildAdapter(other);
await buildAdapter(name);

async function buildAdapter(adapter: string) {
  const folder = path.join(here, adapter);
  await compilePackage(folder);
  await declareForRequire(folder);
}

/** Whether a package is built, and no source of it is newer. */
async function isCurrent(name: string): Promise<boolean> {
  const folder = path.join(here, name);
  const built = await timeOf(path.join(folder, 'dist', 'index.d.cts'));
  for await (const source of glob('src/**/*.{ts,tsx,graphql}', { cwd: folder })) {
    if ((await timeOf(path.join(folder, source))) > built) return false;
  }
  return true;
}

/** When a file was changed; before all others if it is not there. */
async function timeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return found?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}
