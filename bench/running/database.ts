import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import {
  areStatementsKept,
  beginCount,
  countFromNextStart,
  leaveStatements,
} from './statements.ts';

/** An empty PostgreSQL in a temporary folder; each of its commits waits for the disk, as an operator's does. */
export async function startMeasuredDatabase() {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-bench-'));
  await chmod(dataDir, 0o711);
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  if (areStatementsKept()) {
    await using first = await startEmbeddedPostgres({ dataDir });
    await countFromNextStart(first.databaseUrl);
  }
  const { databaseUrl } = opened.use(await startEmbeddedPostgres({ dataDir }));
  if (areStatementsKept()) {
    await beginCount(databaseUrl);
    opened.defer(() => leaveStatements(databaseUrl));
  }
  const kept = opened.move();
  return { databaseUrl, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
