import pg from 'pg';
import type { Session } from '#domain/kernel/session.ts';
import { lockWaits } from './lock-waits.ts';

/** Locks the row that all who number events of a feed wait for. */
export async function lockFeed(databaseUrl: string, { organizationId }: Session) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from event_head where organization_id = $1 for update', [
    organizationId,
  ]);
  return {
    release: () => client.query('commit'),
    /** Ends the connections that wait for the lock; returns how many there were. */
    async endWaiting(): Promise<number> {
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from (${lockWaits}) waiting
         where pg_backend_pid() = any(pg_blocking_pids(pid))`,
      );
      return rowCount ?? 0;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
