import type { EntityManager } from '@mikro-orm/postgresql';
import { statement } from '#engines/lockstep/statement.ts';

const mostHours = 500;
const mostEvents = 100_000;
const longestMilliseconds = 20_000;

/**
 * Aggregates hours of usage that are over and have been quiet for a minute, for a limited time. Statistics read the
 * events of all other hours, so a delay changes no result. Returns the number of hours.
 */
export async function keepUsageParts(em: EntityManager, now: Date): Promise<number> {
  const until = performance.now() + longestMilliseconds;
  let all = 0;
  for (;;) {
    const [row] = await statement<{ hours: number }>(
      em,
      undefined,
      'select keep_usage_parts($1, $2, $3) as hours',
      [now, mostHours, mostEvents],
    );
    all += row?.hours ?? 0;
    if (!row?.hours || performance.now() > until) return all;
  }
}
