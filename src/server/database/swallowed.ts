import type pg from 'pg';
import type { CheckedPool } from './pool.ts';
import { isPooled } from './pooler.ts';

/** A connection of `pg` with the properties that its types omit. */
type Inner = pg.PoolClient & {
  readonly processID?: number;
  readonly connection?: { readonly stream: { destroy(): void } };
};

const states = `select pid, state_change::text as since, state = 'active' as active from pg_stat_activity where pid = any($1)`;

/**
 * Finds, after an outage, the connections in use that have not survived it. The server's end of
 * them is gone, or has been idle from one check to the next while this side waits for an answer.
 * They are cut off, so that no caller waits for the whole statement timeout. Returns whether any
 * are left to check again. Through a pooler they cannot be looked up, and the pooler ends them itself.
 */
export function createSwallowedCheck(pool: CheckedPool) {
  let idle = new Map<number, string>();
  return async (client: pg.Client, outageEnd: number): Promise<boolean> => {
    const suspects = new Map(
      pool.inUseBefore(outageEnd).map((suspect) => [(suspect as Inner).processID ?? 0, suspect]),
    );
    if (suspects.size === 0 || (await isPooled(client))) return false;
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
