import { ConfigError } from '#config';
import type { CellClient } from './cell-database.ts';
import { removeFence } from './fence.ts';
import { claimMove, stateOf } from './move-state.ts';
import { deleteRows } from './target-side.ts';

/**
 * Deletes the rows of an organization that has moved away. Its cell stays known, since usage may arrive late. Returns the
 * number of rows. Errors: ConfigError while it is here.
 */
export async function removeMoved(client: CellClient, organizationId: string): Promise<number> {
  await claimMove(client, organizationId);
  if ((await stateOf(client, organizationId)) !== 'moved') {
    throw new ConfigError(`${organizationId} has not moved to another cell, so its rows stay`);
  }
  const { rows } = await client.query(
    `select from pg_replication_slots where slot_name = 'tollgate_move_' || left(md5($1), 12)`,
    [organizationId],
  );
  if (rows.length > 0) {
    throw new ConfigError(
      `The move of ${organizationId} is not finished: execute tollgate tenant move again`,
    );
  }
  const deleted = await deleteRows(client, organizationId);
  await removeFence(client, organizationId);
  return deleted;
}
