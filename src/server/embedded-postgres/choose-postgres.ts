import fs from 'node:fs/promises';
import path from 'node:path';
import { testedMajors } from '../database/server-version.ts';
import { DataDirError } from './data-dir-lock.ts';
import { ifExists } from './exists.ts';
import {
  buildIn,
  embeddedBuild,
  machineBuilds,
  type PostgresBuild,
  versionOf,
} from './postgres-builds.ts';

/**
 * The PostgreSQL for a cluster. `wanted` is a folder of programs, `embedded` for the one of the package, or `newest` for
 * the newest of the package and of this machine. An existing cluster needs its own major version. Errors: DataDirError.
 */
export async function choosePostgres(
  cluster: string,
  wanted: string,
  log: (line: string) => void,
): Promise<PostgresBuild> {
  const text = await ifExists(fs.readFile(path.join(cluster, 'PG_VERSION'), 'utf8'));
  const major = text === undefined ? undefined : Number.parseInt(text, 10);
  const found = await candidates(wanted, log);
  const best = newestOf(found, major);
  if (best) return best;
  const list = found.map((build) => `${versionOf(build)} (${placeOf(build)})`).join(', ');
  if (major === undefined) {
    throw new DataDirError(
      `PostgreSQL ${testedMajors.oldest} or newer is needed, and there is only ${list}: set ` +
        'POSTGRES_BIN to the programs of a newer one, or DATABASE_URL to a server',
    );
  }
  throw new DataDirError(
    `DATA_DIR ${path.dirname(cluster)} has a database of PostgreSQL ${major}, and there is only ` +
      `${list}: install PostgreSQL ${major}, or set POSTGRES_BIN to the folder of its programs`,
  );
}

/**
 * The newest of these that can run a cluster of a major version; any supported one for a new cluster. The first of equal
 * ones is taken.
 */
export function newestOf<Build extends Pick<PostgresBuild, 'major' | 'minor'>>(
  builds: readonly Build[],
  major?: number,
): Build | undefined {
  return builds
    .filter((build) =>
      major === undefined ? build.major >= testedMajors.oldest : build.major === major,
    )
    .toSorted((one, other) => other.major - one.major || other.minor - one.minor)[0];
}

async function candidates(wanted: string, log: (line: string) => void): Promise<PostgresBuild[]> {
  if (wanted === 'embedded') return [await embeddedBuild()];
  if (wanted !== 'newest') return [await buildIn(wanted)];
  const builds = await machineBuilds(log);
  // Major versions that the tests do not know are used by name only.
  const tested = builds.filter(({ major }) => major <= testedMajors.newest);
  try {
    return [await embeddedBuild(), ...tested];
  } catch (error) {
    if (!(error instanceof DataDirError) || tested.length === 0) throw error;
    log(error.message);
    return tested;
  }
}

/** Where a build is, for people. */
export const placeOf = ({ build, binaries }: PostgresBuild) =>
  build === 'embedded' ? 'embedded' : path.dirname(binaries.postgres);
