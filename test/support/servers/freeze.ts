import type { Session } from '#domain/kernel/session.ts';
import { connectToCell } from '../../../src/tools/tenant/cell-database.ts';
import { addFence, removeFence } from '../../../src/tools/tenant/fence.ts';
import { freeze } from '../../../src/tools/tenant/freeze.ts';
import { clearState } from '../../../src/tools/tenant/move-state.ts';

/** Freezes an organization, as its move does, until the client ends. */
export async function aFreeze(
  databaseUrl: string,
  { organizationId }: Session,
  opened: AsyncDisposableStack,
) {
  const mover = await connectToCell(databaseUrl, 'this cell');
  opened.defer(async () => {
    await mover.end();
    const client = await connectToCell(databaseUrl, 'this cell');
    await removeFence(client, organizationId);
    await clearState(client, organizationId);
    await client.end();
  });
  await addFence(mover, organizationId);
  await freeze(mover, organizationId, 'other', 5);
  return mover;
}
