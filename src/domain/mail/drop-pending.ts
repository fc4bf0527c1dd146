import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#engines/lockstep/statement.ts';

/**
 * Drops pending mails for a reason that operators read. `which` is a condition, whose first own parameter is `$3`. A mail
 * that is being sent at this moment is left alone.
 */
export const dropPending = (
  { em, now }: Session,
  reason: string,
  which: string,
  parameters: readonly unknown[],
) =>
  statement(
    em,
    undefined,
    `update mail set status = 'dropped', next_attempt_at = null, updated_at = greatest(updated_at, $1), claim = null, claimed_until = null,
       problem = $2
     where status = 'pending' and ${which}
       and handed_over_at is null and (claimed_until is null or claimed_until <= $1)`,
    [now, reason, ...parameters],
  );
