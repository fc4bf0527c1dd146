import fs from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { choosePostgres, placeOf } from './choose-postgres.ts';
import { DataDirError, findDatabasePort, lockDataDir } from './data-dir-lock.ts';
import { ifExists } from './exists.ts';
import { locateBinaries } from './postgres-binaries.ts';
import { versionOf } from './postgres-builds.ts';
import {
  type Cluster,
  createCluster,
  readOrCreatePassword,
  readPassword,
} from './postgres-cluster.ts';
import { stopOrphan } from './postgres-orphan.ts';
import { launch } from './postgres-process.ts';
import { findPostgresUser } from './system-user.ts';

export { DataDirError };

/** A PostgreSQL server of this process; disposing it stops the server and frees the folder. */
export interface EmbeddedPostgres extends AsyncDisposable {
  /** Where the server listens, with the password: `postgresql://…@127.0.0.1:<port>/tollgate`. */
  readonly databaseUrl: string;
  /** Whether it is the build of the package, or of this machine. */
  readonly build: 'embedded' | 'machine';
}

export interface EmbeddedPostgresOptions {
  /** The folder that keeps the data; it is created when missing and belongs to one process. */
  dataDir: string;
  /** False gives up safety against power failure for speed, which suits tests. Default: true. */
  durable?: boolean;
  /** The name of the cell: an organization can move away from a server of a cell. None when absent. */
  cell?: string | undefined;
  /** Called when the server ends unexpectedly. */
  onLost?: () => void;
  /**
   * The folder of the programs; `newest` for the newest of the package and of this machine. Default: `embedded`, the one
   * of the package, which is the same on all machines.
   */
  postgresBin?: string;
  /** Receives the log of PostgreSQL, line by line. */
  log?: (line: string) => void;
  /** Receives a line for each step of the start that takes long. */
  report?: (line: string) => void;
}

/** Starts the PostgreSQL server of a folder; the first start creates its database. */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { dataDir, durable = true, cell, postgresBin = 'embedded' } = options;
  const { log = () => {}, report = () => {}, onLost = () => {} } = options;
  const home = await openDataDir(dataDir);
  await using resources = new AsyncDisposableStack();
  const lock = resources.use(await lockDataDir(home));
  const folder = path.join(home, 'postgres');
  const user = await findPostgresUser(folder);
  const version = await choosePostgres(folder, postgresBin, log);
  const binaries = await locateBinaries(version, user);
  const password = await readOrCreatePassword(home);
  const isCell = cell !== undefined;
  const cluster = {
    ...{ home, folder, password, durable, isCell, version, binaries, user },
    ...{ log, report, onLost },
  };
  await createCluster(cluster);
  await stopOrphan(cluster);
  report(`Starting PostgreSQL ${versionOf(version)} (${placeOf(version)})`);
  const server = resources.use(await launch(cluster));
  await createDatabase(cluster, server.port);
  lock.announce(server.port);
  const running = resources.move();
  let stopped: Promise<void> | undefined;
  return {
    databaseUrl: databaseUrl(password, server.port),
    build: version.build,
    [Symbol.asyncDispose]: () => {
      stopped ??= running.disposeAsync();
      return stopped;
    },
  };
}

/** The address of the database that another process runs in dataDir right now, if any. */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const home = await ifExists(fs.realpath(dataDir));
  const port = home && (await findDatabasePort(home));
  return port ? databaseUrl(await readPassword(home), port) : undefined;
}

function databaseUrl(password: string, port: number): string {
  return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/tollgate`;
}

async function openDataDir(dataDir: string): Promise<string> {
  const folder = path.resolve(dataDir);
  try {
    // As root the server runs as another user, who must be able to traverse to its own folder.
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
    await fs.mkdir(folder, { recursive: true, mode });
    return await fs.realpath(folder);
  } catch (error) {
    throw new DataDirError(`DATA_DIR ${folder} cannot be used: ${(error as Error).message}`);
  }
}

async function createDatabase({ home, password }: Cluster, port: number): Promise<void> {
  const host = '127.0.0.1';
  const login = { host, port, user: 'postgres', password, database: 'postgres', ssl: false };
  const client = new pg.Client(login);
  try {
    await client.connect();
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = 'tollgate'");
    if (found.rowCount === 0) await client.query('CREATE DATABASE tollgate');
  } catch (error) {
    if ((error as pg.DatabaseError).code !== '28P01') throw error;
    throw new DataDirError(
      `The file ${home}/password does not contain the password of its database`,
    );
  } finally {
    await client.end();
  }
}
