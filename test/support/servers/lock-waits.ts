/**
 * SQL for the connections of the present database that wait for a lock, also within a transaction, which sees the same
 * `pg_stat_activity` until it ends. `pg_locks` has all databases of the server, in which other tests run.
 */
export const lockWaits = `select distinct pid from pg_locks where not granted and pid in (
  select pid from pg_locks where database = (select oid from pg_database where datname = current_database()))`;
