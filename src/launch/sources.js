import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const folders = ['src', 'schema', 'rest'];
const others = ['package.json', 'package-lock.json', 'mikro-orm.config.ts'];

/**
 * The files and folders that decide what the bundle of the service contains, with the times of their last change in
 * milliseconds. The time of a folder is the only trace of a file that was removed.
 *
 * @param {string} root the folder of the project
 * @returns {{ path: string, isFile: boolean, modified: number }[]}
 */
export function sourcesOf(root) {
  const files = others.filter((name) => existsSync(join(root, name)));
  return [
    ...files.map((path) => ({ path, isFile: true, modified: modifiedOf(root, path) })),
    ...folders
      .filter((folder) => existsSync(join(root, folder)))
      .flatMap((path) => below(root, path)),
  ];
}

function below(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (path === 'src/dist') return [];
    const found = { path, isFile: entry.isFile(), modified: modifiedOf(root, path) };
    if (entry.isDirectory()) return [found, ...below(root, path)];
    return /\.[jt]s$/.test(path) ? [found] : [];
  });
}

const modifiedOf = (root, path) => statSync(join(root, path)).mtimeMs;

/**
 * The digest of the paths and contents of all sources.
 *
 * @param {string} root the folder of the project
 * @returns {string}
 */
export function digestOf(root) {
  const digest = createHash('sha256');
  const paths = sourcesOf(root).flatMap(({ path, isFile }) => (isFile ? [path] : []));
  for (const path of paths.toSorted()) {
    digest
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return digest.digest('hex');
}
