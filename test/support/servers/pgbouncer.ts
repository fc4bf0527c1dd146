import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { freePorts } from '../fleet/free-ports.ts';
import { listening } from '../fleet/member.ts';
import { createPooler } from '../fleet/pooler.ts';
import { findPooler } from '../fleet/programs.ts';

/** The real PgBouncer; undefined where it cannot be had. */
export const pgbouncer = await findPooler();

/** A PgBouncer with the delivered configuration in front of one database. */
export interface Pooler {
  /** The address of the database through the pooler. */
  readonly databaseUrl: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a PgBouncer with `connections` to the server; it does not outlive the test. */
export async function startPooler(directUrl: string, connections: number): Promise<Pooler> {
  if (!pgbouncer) throw new Error('There is no PgBouncer');
  const [port = 0] = await freePorts(1);
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-pgbouncer-'));
  await chmod(folder, 0o755);
  const programs = { pgbouncer, env: {} };
  const { start, kill } = await createPooler(directUrl, { programs, folder, port, connections });
  onTestFinished(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });
  const pooler = {
    databaseUrl: Object.assign(new URL(directUrl), { port, pathname: '/tollgate' }).href,
    kill,
    async start() {
      start();
      await listening('PgBouncer', port);
    },
  };
  await pooler.start();
  return pooler;
}
