import { ConfigError } from '#config';
import type { CellClient } from './cell-database.ts';
import { removeFence } from './fence.ts';
import { clearState, stateOf } from './move-state.ts';
import { unpublish } from './source-side.ts';
import { deleteRows, unsubscribe } from './target-side.ts';

/**
 * Ends a move, and removes what it has made in both cells; the source serves the organization all the time. Does nothing
 * without a move. Errors: ConfigError when the organization has left the source.
 */
export async function abortMove(source: CellClient, target: CellClient, organizationId: string) {
  if ((await stateOf(source, organizationId)) === 'moved') {
    throw new ConfigError(
      `${organizationId} has left this cell: tollgate tenant move finishes its move`,
    );
  }
  if ((await stateOf(target, organizationId)) === 'arriving') {
    await unsubscribe(target, organizationId);
    await deleteRows(target, organizationId);
    await removeFence(target, organizationId);
    await clearState(target, organizationId);
  }
  if ((await stateOf(source, organizationId)) !== undefined) {
    await unpublish(source, organizationId);
    await removeFence(source, organizationId);
    await clearState(source, organizationId);
  }
}
