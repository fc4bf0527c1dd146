import { moveLock } from '#domain/kernel/absent-organizations.ts';
import type { CellClient } from './cell-database.ts';
import { setState } from './move-state.ts';

/** The server ends the session of a program that is stopped, and its lock, this much later than the freeze may last. */
const patienceSeconds = 2;

/** The last step takes longer than the organization may be away. */
export class TooSlow extends Error {}

/**
 * Gets the lock that all transactions with changes of the organization share: none is under way then, and each new one is
 * refused. Errors: TooSlow.
 */
export async function freeze(
  source: CellClient,
  organizationId: string,
  cell: string,
  seconds: number,
) {
  await source.query(`set lock_timeout = '${seconds}s'`);
  try {
    await source.query('select pg_advisory_lock($1, hashtext($2))', [moveLock, organizationId]);
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') throw new TooSlow('a transaction is long');
    throw error;
  } finally {
    await source.query('set lock_timeout = 0');
  }
  await source.query(`set idle_session_timeout = '${seconds + patienceSeconds}s'`);
  await setState(source, organizationId, 'frozen', cell);
}

/** Executes the work of a freeze: no statement of it lasts longer than the freeze may. Errors: TooSlow. */
export async function inTime<Result>(
  clients: readonly CellClient[],
  deadline: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const rest = Math.max(1, Math.round(deadline - performance.now()));
  await Promise.all(clients.map((client) => client.query(`set statement_timeout = ${rest}`)));
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: string }).code === '57014')
      throw new TooSlow('a statement takes longer');
    throw error;
  } finally {
    // A broken connection has no settings to restore.
    await Promise.all(
      clients.map((client) => client.query('set statement_timeout = 0').catch(() => {})),
    );
  }
}

/** The organization leaves its cell: one statement of the session that has its lock. There is no way back. */
export async function depart(source: CellClient, organizationId: string, milliseconds: number) {
  const { rowCount } = await source.query(
    `update organization_move set state = 'moved', changed_at = clock_timestamp(), frozen_milliseconds = $2
     where organization_id = $1 and state = 'frozen' and exists (
       select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and granted and mode = 'ExclusiveLock'
         and database = (select oid from pg_database where datname = current_database())
         and classid = ${moveLock} and objid = (hashtext($1)::bigint & 4294967295)::oid)`,
    [organizationId, Math.round(milliseconds)],
  );
  if (rowCount !== 1) throw new Error('The organization has not been frozen all the time');
}

/** Ends a freeze, also one that was not reached. Without its connection there is no lock either. */
export const thaw = (source: CellClient, organizationId: string) =>
  source
    .query('set idle_session_timeout = 0')
    .then(() =>
      source.query('select pg_advisory_unlock($1, hashtext($2))', [moveLock, organizationId]),
    )
    .catch(() => {});
