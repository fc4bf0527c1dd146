import type pg from 'pg';
import type { CheckedPool } from './pool.ts';

/** A connection of `pg` with the properties that its types omit. */
type Inner = pg.PoolClient & {
  readonly processID?: number;
  readonly connection?: { readonly stream: { destroy(): void } };
};

const states = `select pid, state_change::text as since, state = 'active' as active from pg_stat_activity where pid = any($1)`;

/**
 * Finds, after an outage, connections in use that are dead. The server's end is gone, or was idle in two checks in a
 * row while this side waits for a response. It closes them, so that no request waits until the statement timeout.
 * Returns whether any remain to be checked again.
 */
export function createSwallowedCheck(pool: CheckedPool) {
  let idle = new Map<number, string>();
  return async (client: pg.Client, outageEnd: number): Promise<boolean> => {
    const suspects = new Map(
      pool.inUseBefore(outageEnd).map((suspect) => [(suspect as Inner).processID ?? 0, suspect]),
    );
    if (suspects.size === 0) return false;
    const { rows } = await client.query<{ pid: number; since: string; active: boolean }>(states, [
      [...suspects.keys()],
    ]);
    const found = new Map(rows.map((row) => [row.pid, row]));
    const before = idle;
    idle = new Map();
    for (const [pid, suspect] of suspects) {
      const row = found.get(pid);
      if (row?.active) continue;
      const since = row?.since ?? 'gone';
      if (before.get(pid) === since) (suspect as Inner).connection?.stream.destroy();
      else idle.set(pid, since);
    }
    return true;
  };
}
