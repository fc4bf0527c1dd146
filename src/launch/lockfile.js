import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the packages of a folder lack, compared with its `package-lock.json`: they are `missing`, `older`, or without
 * those for `development`. Undefined where nothing is lacking. npm notes what it has installed in a lockfile of its
 * own, as its last step. So an installation that was cut is missing. Times of files are not compared: a checkout
 * renews them, and a copy keeps them. An installed package has no lockfile, since npm has installed what it needs.
 */
export function lackOf(folder, { development = false } = {}) {
  if (!existsSync(join(folder, 'package-lock.json'))) return undefined;
  const installed = packagesIn(join(folder, 'node_modules', '.package-lock.json'));
  if (!installed) return 'missing';
  const wanted = Object.entries(packagesIn(join(folder, 'package-lock.json')) ?? {});
  const hasDevelopment = Object.values(installed).some(({ dev }) => dev);
  if (development && !hasDevelopment && wanted.some(([, { dev }]) => dev)) return 'development';
  const isOlder = ([place, { version, integrity, optional, peer, dev, devOptional }]) => {
    // Folders of the repository are of its own version, which npm notes at some installations only.
    if (!place.includes('node_modules/')) return false;
    const found = installed[place];
    // Some packages are for other machines, or are left out by a setting of npm.
    if (!found) {
      return !optional && !peer && !((dev || devOptional) && !hasDevelopment);
    }
    return found.version !== version || found.integrity !== integrity;
  };
  return wanted.some(isOlder) ? 'older' : undefined;
}

/** The places of all packages of a folder, also of those for other machines. */
export const placesOf = (folder) =>
  Object.keys(packagesIn(join(folder, 'package-lock.json')) ?? {}).filter((place) => place !== '');

/** The packages of a lockfile by their places; undefined where there is no such file. */
function packagesIn(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch (error) {
    throw new Error(`${file} cannot be read: ${error.message}`);
  }
}
