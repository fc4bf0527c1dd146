import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';

/** A failure counts for a day. */
const failureMilliseconds = 86_400_000;

/** Deletes sessions and invitations that ended before an instant. Returns their number. */
export async function purgeOperatorSessions(em: EntityManager, before: Date): Promise<number> {
  const tables = [
    'operator_session where expires_at < ?',
    'operator_invitation where expires_at < ?',
  ];
  let count = 0;
  for (const table of tables) {
    count += (
      await em.execute<{ id: string }[]>(`delete from ${table} and ${isServed()} returning id`, [
        before,
      ])
    ).length;
  }
  return count;
}

/** Deletes the failures to sign in that do not count any more. Returns their number. */
export async function purgeSignInAttempts(em: EntityManager, now: Date): Promise<number> {
  const before = new Date(now.getTime() - failureMilliseconds);
  const gone = await em.execute<{ id: string }[]>(
    'delete from sign_in_attempt where failed_at < ? and blocked_until < ? returning id',
    [before, now],
  );
  return gone.length;
}
