import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { DataDirError } from './data-dir-lock.ts';
import { exists } from './exists.ts';
import { type PostgresBinaries, type PostgresBuild, versionOf } from './postgres-builds.ts';
import { folderArgument, readLines, spawnDetached } from './postgres-program.ts';
import type { SystemUser } from './system-user.ts';

/** A database cluster on disk, with the programs and the user that run it. */
export interface Cluster {
  home: string;
  folder: string;
  password: string;
  durable: boolean;
  /** Whether the log has what logical replication needs. */
  isCell: boolean;
  binaries: PostgresBinaries;
  version: Pick<PostgresBuild, 'major' | 'minor' | 'build'>;
  user: SystemUser | undefined;
  log: (line: string) => void;
  /** Receives a line for each step that takes long. */
  report: (line: string) => void;
  onLost: () => void;
}

/**
 * Creates the cluster under a temporary name and renames it when complete, so that an interrupted start leaves none.
 */
export async function createCluster(cluster: Cluster): Promise<void> {
  const { home, folder, user, durable, binaries, version, log, report } = cluster;
  for (const name of await fs.readdir(home)) {
    // An initdb that has outlived its owner may still add files while they are removed.
    const leftover = path.join(home, name);
    if (name.startsWith('initdb-')) await fs.rm(leftover, { recursive: true, maxRetries: 9 });
  }
  if (await exists(path.join(folder, 'PG_VERSION'))) return;
  report(`Making the database folder ${folder} with PostgreSQL ${versionOf(version)}`);
  const draft = await fs.mkdtemp(path.join(home, 'initdb-'));
  const data = path.join(draft, 'data');
  const passwordFile = path.join(draft, 'password');
  await fs.mkdir(data, { mode: 0o700 });
  await fs.writeFile(passwordFile, cluster.password, { mode: 0o600 });
  if (user) {
    for (const entry of [draft, data, passwordFile]) await fs.chown(entry, user.uid, user.gid);
  }
  const args = ['-D', await folderArgument(data, user, version.major), '--pwfile=../password'];
  args.push('--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C');
  args.push(...localeOf(version), '--data-checksums', '--no-instructions');
  const child = spawnDetached(binaries.initdb, durable ? args : [...args, '--no-sync'], data, user);
  const output = readLines(child.stderr, log);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new DataDirError(`PostgreSQL's initdb has failed:\n${output.join('\n')}`);
  await fs.rename(data, folder);
  if (durable && process.platform !== 'win32') await syncFolder(home);
  await fs.rm(draft, { recursive: true });
}

/**
 * Texts are ordered by their code points, and letters are those of Unicode. Until version 16 PostgreSQL has no such
 * locale of its own. The C library then has the letters, by this name except on Windows.
 */
function localeOf({ major }: Cluster['version']): string[] {
  if (major >= 17) return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  return process.platform === 'win32' ? [] : ['--lc-ctype=C.UTF-8'];
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await fs.open(folder);
  await handle.sync();
}

export async function readOrCreatePassword(home: string): Promise<string> {
  const file = path.join(home, 'password');
  if (await exists(file)) return readPassword(home);
  if (await exists(path.join(home, 'postgres', 'PG_VERSION'))) {
    throw new DataDirError(
      `DATA_DIR ${home} contains a database, but its file password is missing; restore that file`,
    );
  }
  const password = randomBytes(24).toString('base64url');
  await fs.writeFile(`${file}.new`, password, { mode: 0o600, flush: true });
  await fs.rename(`${file}.new`, file);
  return password;
}

export async function readPassword(home: string): Promise<string> {
  return (await fs.readFile(path.join(home, 'password'), 'utf8')).trim();
}
