import type { EntityManager } from '@mikro-orm/postgresql';

/** Deletes sessions and invitations that ended before an instant, and old failures. Returns their number. */
export async function purgeOperatorSessions(em: EntityManager, before: Date): Promise<number> {
  const tables = [
    'operator_session where expires_at < ?',
    'operator_invitation where expires_at < ?',
    'sign_in_attempt where failed_at < ?',
  ];
  let count = 0;
  for (const table of tables) {
    count += (await em.execute<{ id: string }[]>(`delete from ${table} returning id`, [before]))
      .length;
  }
  return count;
}
