import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { root } from '#root';
import { prepareDatabase } from '#server/database/database.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { bundledProgram } from '../../src/launch/bundled-program.js';
import { installClientPackages, needsClientPackages } from './repository/client-packages.ts';
import { scratchRoot } from './scratch-root.ts';
import { templateKey } from './secrets.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the migrated database that is cloned for processes and files of tests. */
    templateUrl: string;
  }
}

/**
 * Starts one PostgreSQL for the run and migrates one template database in it. The packages that only tests of clients
 * import are installed where such a test is in the run.
 */
export default async function setup(project: TestProject) {
  // Processes of tests find it made, and do not each make it.
  bundledProgram(root, 'src/main.ts');
  const needs = await Promise.all(
    project.vitest.state.getPaths().map((file) => needsClientPackages(file)),
  );
  if (needs.includes(true)) await installClientPackages();
  const dataDir = await mkdtemp(join(await scratchRoot(), 'tollgate-test-'));
  await chmod(dataDir, 0o711);
  // biome-ignore lint/style/noProcessEnv: another PostgreSQL is asked for by name
  const { POSTGRES_BIN: postgresBin = 'embedded' } = process.env;
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false, postgresBin });
  await prepareDatabase(postgres.databaseUrl, { now: new Date(), credential: templateKey });
  await withoutVacuum(postgres.databaseUrl);
  project.provide('templateUrl', postgres.databaseUrl);

  return async () => {
    await postgres[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** The databases of tests are dropped before their dead rows cost more than their removal. */
async function withoutVacuum(connectionString: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('alter system set autovacuum = off');
  await client.query('select pg_reload_conf()');
  await client.end();
}
