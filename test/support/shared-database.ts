import { cloneDatabase, type TestDatabase, templateOf } from './database.ts';
import { oneOfEach } from './records/one-of-each.ts';
import { aTenant } from './tenant.ts';

/**
 * A database for all files of a process. It has another organization with rows of every kind, so a test that sees more
 * than its own fails, whatever runs before it.
 */
export async function sharedDatabase(): Promise<TestDatabase> {
  await templateOf('tollgate_shared', async ({ em }) => {
    const { session } = await aTenant(em);
    await oneOfEach(session);
    return session.organizationId;
  });
  return cloneDatabase('tollgate_shared');
}
