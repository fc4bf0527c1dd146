import { readFileSync } from 'node:fs';
import { lstat, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { installPackages } from '../../../dashboard/install-packages.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = path.join(root, 'test/packages');
/** The generator of the client's REST types, which tests run as the build of the client does. */
const restTypes = path.join(root, 'dashboard/client/rest-types');
/** The tests find their packages here. */
const modules = path.join(root, 'test/node_modules');

const manifest = readFileSync(path.join(folder, 'package.json'), 'utf8');
const declared = Object.keys((JSON.parse(manifest) as { dependencies: object }).dependencies);

/**
 * Installs the packages that only tests of clients, pages and formats import. They are below `test/packages`, with
 * links in `test/node_modules`: a `package.json` above the tests would hide the aliases such as `#domain`. Only the
 * declared packages have links, so that theirs do not hide the versions of the repository.
 */
export async function installClientPackages(): Promise<void> {
  await installPackages(restTypes);
  const fresh = await installPackages(folder);
  if (!fresh && (await isThere(modules))) return;
  await rm(modules, { recursive: true, force: true });
  // The repository's own copy serves the tests too.
  for (const name of declared.filter((name) => name !== 'graphql')) {
    const link = path.join(modules, name);
    await mkdir(path.dirname(link), { recursive: true });
    const target = path.relative(path.dirname(link), path.join(folder, 'node_modules', name));
    await symlink(target, link, 'junction');
  }
}

const isThere = (file: string) =>
  lstat(file).then(
    () => true,
    () => false,
  );

const importOf =
  /(?:\bfrom|\bimport|\bimport\(|\(import\.meta\.url\)(?:\.resolve)?\()\s*'([^']+)'/g;

/** Whether a file of tests imports one of these packages, itself or through the files of tests that it imports. */
export async function needsClientPackages(
  file: string,
  seen: Set<string> = new Set(),
): Promise<boolean> {
  if (seen.has(file)) return false;
  seen.add(file);
  for (const [, name = ''] of (await readFile(file, 'utf8')).matchAll(importOf)) {
    if (declared.some((one) => one !== 'graphql' && (name === one || name.startsWith(`${one}/`)))) {
      return true;
    }
    const isOwn = name.startsWith('.') && /\.tsx?$/.test(name);
    if (isOwn && (await needsClientPackages(path.resolve(file, '..', name), seen))) return true;
  }
  return false;
}
