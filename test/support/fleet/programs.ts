import { execFile } from 'node:child_process';
import { access, constants, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ConfigError } from '#config';
import { debianRelease, unpack } from './debian-packages.ts';

const run = promisify(execFile);

/** A program and its first arguments. */
export type Command = readonly [program: string, ...args: string[]];

/** The programs of a fleet, which are not part of the service. */
export interface Programs {
  readonly etcd: Command;
  readonly patroni: Command;
  readonly haproxy: Command;
  readonly pgbouncer: Command;
  /** The folder of the programs of PostgreSQL. */
  readonly postgresFolder: string;
  /** The environment of the programs. */
  readonly env: Readonly<Record<string, string>>;
}

const folders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin'];
const debianPostgres = 'usr/lib/postgresql';
/** Debian 12 has an older PgBouncer than 1.21, which knows no named statements. */
const newerDebian = 'forky';

/**
 * The programs that are installed on this machine; on Debian, those of its packages, which are unpacked into a
 * separate folder. Errors: ConfigError that names the programs.
 */
export async function findPrograms(): Promise<Programs> {
  const found = (await installedPrograms()) ?? (await unpackedPrograms());
  if (found) return found;
  throw new ConfigError(
    'The fleet needs etcd, Patroni with its client of etcd, HAProxy, PgBouncer 1.21 or newer, and PostgreSQL: install them, or use Debian, whose packages are unpacked into a separate folder',
  );
}

/** HAProxy; undefined where it cannot be had. */
export async function findHaproxy(): Promise<Command | undefined> {
  const installed = await programIn('haproxy');
  return installed ? [installed] : newerProgram('haproxy');
}

/** PgBouncer, of 1.21 or newer; undefined where it cannot be had. */
export async function findPooler(): Promise<Command | undefined> {
  const installed = await programIn('pgbouncer');
  if (installed && (await isNewPooler(installed))) return [installed];
  return newerProgram('pgbouncer');
}

/** A program of the newer release of Debian, which needs the loader and the libraries of that release. */
async function newerProgram(name: string): Promise<Command | undefined> {
  const folder = await unpack(newerDebian, name);
  if (!folder) return undefined;
  const libraries = path.join(folder, 'usr/lib/x86_64-linux-gnu');
  const loader = path.join(libraries, 'ld-linux-x86-64.so.2');
  return [loader, '--library-path', libraries, path.join(folder, 'usr/sbin', name)];
}

async function isNewPooler(program: string) {
  const { stdout } = await run(program, ['--version']);
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout)?.map(Number) ?? [];
  return (major ?? 0) > 1 || (minor ?? 0) >= 21;
}

async function installedPrograms(): Promise<Programs | undefined> {
  const [etcd, patroni, haproxy] = await Promise.all(['etcd', 'patroni', 'haproxy'].map(programIn));
  const postgresFolder = await newestPostgres('/');
  if (!etcd || !patroni || !haproxy || !postgresFolder) return undefined;
  const pgbouncer = await findPooler();
  if (!pgbouncer) return undefined;
  return {
    etcd: [etcd],
    patroni: [patroni],
    haproxy: [haproxy],
    pgbouncer,
    postgresFolder,
    env: { PATH: '/usr/bin:/bin' },
  };
}

async function unpackedPrograms(): Promise<Programs | undefined> {
  const release = await debianRelease();
  if (!release) return undefined;
  const names = ['patroni', 'python3-etcd', 'etcd-server', 'haproxy', 'postgresql'];
  const folder = await unpack(release, ...names);
  const pgbouncer = await findPooler();
  const postgresFolder = folder && (await newestPostgres(folder));
  if (!folder || !pgbouncer || !postgresFolder) return undefined;
  const at = (file: string) => path.join(folder, file);
  return {
    etcd: [at('usr/bin/etcd')],
    patroni: [at('usr/bin/python3'), at('usr/bin/patroni')],
    haproxy: [at('usr/sbin/haproxy')],
    pgbouncer,
    postgresFolder,
    env: {
      PATH: '/usr/bin:/bin',
      LD_LIBRARY_PATH: at('usr/lib/x86_64-linux-gnu'),
      PYTHONHOME: at('usr'),
      PYTHONPATH: at('usr/lib/python3/dist-packages'),
    },
  };
}

async function programIn(name: string): Promise<string | undefined> {
  for (const folder of folders) {
    const program = path.join(folder, name);
    if (await isExecutable(program)) return program;
  }
  return undefined;
}

/** The folder of the newest PostgreSQL below a root; undefined without one. */
export async function newestPostgres(root: string): Promise<string | undefined> {
  const versions = await readdir(path.join(root, debianPostgres)).catch(() => []);
  const [newest = 'none'] = versions.toSorted((a, b) => Number(b) - Number(a));
  for (const folder of [
    path.join(root, debianPostgres, newest, 'bin'),
    path.join(root, 'usr/bin'),
  ]) {
    if (await isExecutable(path.join(folder, 'postgres'))) return folder;
  }
  return undefined;
}

const isExecutable = (file: string) =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
