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

/**
 * Allows one program at a time to work on the move of an organization, until its connection ends. Errors: ConfigError
 * while another one does.
 */
export async function claimMove(client: CellClient, organizationId: string) {
  const { rows } = await client.query<{ claimed: boolean }>(
    'select pg_try_advisory_lock($1, hashtext($2)) as claimed',
    [moveLock + 1, organizationId],
  );
  if (!rows[0]?.claimed) {
    throw new ConfigError(`Another program is moving ${organizationId} at this moment`);
  }
}
