import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { CheckedPool } from '../database/pool.ts';
import { placeIn, textOfPlace } from './position.ts';

/** A server that does not answer within this time is frozen, or out of reach. */
const longestAnswerMilliseconds = 1_000;

const question = `select pg_is_in_recovery() as "isStandby", pg_last_wal_replay_lsn()::text as place,
  (select system_identifier::text from pg_control_system()) as system`;

interface State {
  readonly isStandby: boolean;
  readonly place: string | null;
  readonly system: string;
}

/** A standby of the database that serves reads. */
export interface Replica extends AsyncDisposable {
  /** Its host and port. */
  readonly name: string;
  readonly orm: MikroORM;
  /** The place up to which it is known to have replayed the log; it may be further. Undefined while it cannot be used. */
  readonly replayed: bigint | undefined;
  /** Asks how far it is, on a connection of its own. `system` is the identity of the primary. */
  check(system: string): Promise<void>;
  /** Whether it has replayed the log up to a place. */
  hasReplayed(place: bigint): Promise<boolean>;
  /** Passes it over until the next check, because a read there has failed. */
  suspect(): void;
}

/** Follows one standby. `connectReads` opens the connections of the reads. */
export function followReplica(url: string, orm: MikroORM, pool: CheckedPool): Replica {
  let client: pg.Client | undefined;
  let replayed: bigint | undefined;
  const { hostname, port } = new URL(url);

  return {
    name: `${hostname}:${port || 5432}`,
    orm,
    get replayed() {
      return replayed;
    },
    suspect() {
      replayed = undefined;
    },
    async check(system) {
      try {
        client ??= await open(url);
        const { rows } = await client.query<State>(question);
        const [state] = rows;
        // A promoted standby is a primary, and another cluster has other data.
        const isUsable = state?.isStandby && state.place && state.system === system;
        replayed = isUsable ? placeIn(state.place) : undefined;
      } catch {
        drop();
        replayed = undefined;
        // Reads that wait there fail, and are repeated elsewhere.
        for (const waiting of pool.inUseBefore(performance.now())) cut(waiting);
        pool.distrust();
      }
    },
    async hasReplayed(place) {
      if (replayed === undefined) return false;
      if (replayed >= place) return true;
      try {
        const { rows } = await pool.query<{ has: boolean }>({
          text: 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as has',
          values: [textOfPlace(place)],
          query_timeout: longestAnswerMilliseconds,
        } as pg.QueryConfig);
        return rows[0]?.has ?? false;
      } catch {
        // A replica without an answer does not serve the read.
        replayed = undefined;
        return false;
      }
    },
    async [Symbol.asyncDispose]() {
      drop();
      await orm.close(true);
    },
  };

  function drop() {
    const gone = client;
    client = undefined;
    if (gone) cut(gone);
  }
}

/** Destroys the socket, since a frozen server would not receive the protocol's farewell. */
function cut(client: object) {
  (client as { connection?: { stream: { destroy(): void } } }).connection?.stream.destroy();
}

async function open(url: string) {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tollgate replica',
    connectionTimeoutMillis: longestAnswerMilliseconds,
    query_timeout: longestAnswerMilliseconds,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}
