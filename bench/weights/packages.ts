import { existsSync, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { root } from '#root';

interface Locked {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
}

/** The packages of the lockfile by their places, but those of the repository itself. */
function locked(): [string, Locked][] {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  return Object.entries(packages).filter(
    ([place, { link }]) => place.startsWith('node_modules/') && !link,
  );
}

/** How many packages an installation for production has, without the optional ones. */
export const productionPackages = (): number => forProduction().length;

const forProduction = () =>
  locked().filter(([, { dev, optional, devOptional }]) => !dev && !optional && !devOptional);

/** The megabytes of all installed packages, without caches. */
export const installedMegabytes = () => sizeOf(locked().map(([place]) => place)).then(toMegabytes);

/** The megabytes of an installation for production, without the optional packages. */
export const productionMegabytes = () =>
  sizeOf(forProduction().map(([place]) => place)).then(toMegabytes);

const toMegabytes = (bytes: number) => Math.round(bytes / 1_048_576);

async function sizeOf(places: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const place of places) {
    const folder = path.join(root, place);
    if (existsSync(folder)) bytes += await bytesIn(folder);
  }
  return bytes;
}

/** The bytes of a package as blocks of the disk, without the packages below it: these have places of their own. */
async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) bytes += entry.name === 'node_modules' ? 0 : await bytesIn(file);
    else if (entry.isFile()) bytes += (await stat(file)).blocks * 512;
  }
  return bytes;
}
