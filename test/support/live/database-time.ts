import pg from 'pg';

/** The time of a database, which a test moves: processes of the service take the present from their database. */
export interface DatabaseTime extends AsyncDisposable {
  /** The present, also for a copy of Stripe; without a rate. */
  now(): number;
  pass(milliseconds: number): Promise<void>;
  /** Sets how far the clock is ahead of the machine, and how much it gains for each millisecond that passes. */
  set(ahead: number, rate?: number): Promise<void>;
}

/**
 * Makes the functions of the present movable in a database, for connections that are opened afterwards. `now()` stays
 * the same within a transaction, also when the clock is set meanwhile.
 */
export async function movableTime(databaseUrl: string): Promise<DatabaseTime> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const database = new URL(databaseUrl).pathname.slice(1);
  const movedOf = (present: string) =>
    `select ${present} + ahead + rate * (${present} - since) from moved.time where since <= ${present}
     order by since desc limit 1`;
  await client.query(`
    create schema moved;
    create table moved.time (since timestamptz primary key, ahead interval not null, rate float8 not null);
    insert into moved.time values ('2000-01-01', '0', 0);
    create function moved.now() returns timestamptz language sql stable parallel safe
      as '${movedOf('pg_catalog.now()')}';
    create function moved.clock_timestamp() returns timestamptz language sql volatile parallel safe
      as '${movedOf('pg_catalog.clock_timestamp()')}';
    alter database ${database} set search_path = public, moved, pg_catalog`);
  let shift = 0;
  const set = async (ahead: number, rate = 0) => {
    shift = ahead;
    await client.query(
      'insert into moved.time values (pg_catalog.clock_timestamp(), make_interval(secs => $1), $2)',
      [ahead / 1_000, rate],
    );
  };
  return {
    now: () => Date.now() + shift,
    pass: (milliseconds) => set(shift + milliseconds),
    set,
    [Symbol.asyncDispose]: () => client.end(),
  };
}
