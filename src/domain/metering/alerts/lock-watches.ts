import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#engines/lockstep/statement.ts';

/**
 * Locks the watches of subscriptions until the transaction ends, in one order. A recording shares its lock on the
 * subscription with others; this one makes recordings on different meters follow each other, so that each sees the
 * whole spend. Call it before ledgers are locked.
 */
export async function lockWatches({ em }: Session, subscriptionIds: readonly string[]) {
  if (subscriptionIds.length === 0) return;
  await statement(
    em,
    'lock watches',
    `select from usage_watch where subscription_id = any($1::text[]) order by subscription_id for update`,
    [subscriptionIds],
  );
}
