import { ConfigError } from '#config';
import { moveLock } from '#domain/kernel/absent-organizations.ts';
import type { CellClient } from './cell-database.ts';

export type MoveState = 'copying' | 'frozen' | 'moved' | 'arriving' | 'arrived';

/** Where an organization is on its way, as one database knows it; undefined for one that stays. */
export async function stateOf(
  client: CellClient,
  organizationId: string,
): Promise<MoveState | undefined> {
  const { rows } = await client.query<{ state: MoveState }>(
    'select state from organization_move where organization_id = $1',
    [organizationId],
  );
  return rows[0]?.state;
}

/** Sets the state; `cell` is the name of the other cell. */
export async function setState(
  client: CellClient,
  organizationId: string,
  state: MoveState,
  cell: string,
) {
  await client.query(
    `insert into organization_move (organization_id, state, cell) values ($1, $2, $3)
     on conflict (organization_id) do update set state = excluded.state, cell = excluded.cell, changed_at = clock_timestamp()`,
    [organizationId, state, cell],
  );
}

export const clearState = (client: CellClient, organizationId: string) =>
  client.query('delete from organization_move where organization_id = $1', [organizationId]);

/** A program that has died is known to the server within this time. */
const deathSeconds = 10;

/**
 * Allows one program at a time to work on the move of an organization, until its connection ends. A program that works
 * in two cells claims the move in both. Errors: ConfigError while another one does.
 */
export async function claimMove(client: CellClient, organizationId: string) {
  await client.query(`set lock_timeout = '${deathSeconds}s'`);
  try {
    await client.query('select pg_advisory_lock($1, hashtext($2))', [moveLock + 1, organizationId]);
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error;
    throw new ConfigError(`Another program is moving ${organizationId} at this moment`);
  } finally {
    await client.query('set lock_timeout = 0');
  }
}

/** Checks that an organization that has left one cell is in another one. Errors: ConfigError with the right cell. */
export async function requireArrival(
  source: CellClient,
  target: CellClient,
  organizationId: string,
  cell: string,
) {
  const { rows } = await source.query<{ cell: string }>(
    'select cell from organization_move where organization_id = $1 and cell <> $2',
    [organizationId, cell],
  );
  if (rows[0]) {
    throw new ConfigError(
      `${organizationId} has left this cell for cell ${rows[0].cell}: name that one in --to and --cell`,
    );
  }
  const { rows: there } = await target.query('select from organization where id = $1', [
    organizationId,
  ]);
  if (there.length === 0 || (await stateOf(target, organizationId)) === 'moved') {
    throw new ConfigError(`${organizationId} has left this cell, and is not in that of --to`);
  }
}
