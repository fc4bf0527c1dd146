import pg from 'pg';

/** The time of a database, which a test moves: processes of the service take the present from their database. */
export interface DatabaseTime extends AsyncDisposable {
  /** The present, also for a copy of Stripe. */
  now(): number;
  pass(milliseconds: number): Promise<void>;
}

/** Makes the functions of the present movable in a database, for connections that are opened afterwards. */
export async function movableTime(databaseUrl: string): Promise<DatabaseTime> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const database = new URL(databaseUrl).pathname.slice(1);
  await client.query(`
    create schema moved;
    create table moved.time (shift interval not null);
    insert into moved.time values ('0');
    create function moved.now() returns timestamptz language sql stable parallel safe
      as 'select pg_catalog.now() + shift from moved.time';
    create function moved.clock_timestamp() returns timestamptz language sql volatile parallel safe
      as 'select pg_catalog.clock_timestamp() + shift from moved.time';
    alter database ${database} set search_path = public, moved, pg_catalog`);
  let shift = 0;
  return {
    now: () => Date.now() + shift,
    async pass(milliseconds) {
      shift += milliseconds;
      await client.query('update moved.time set shift = make_interval(secs => $1)', [
        shift / 1_000,
      ]);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
