import pg from 'pg';

/** The records that a database has written to its log, without full pages, which depend on checkpoints. */
interface Written {
  readonly records: number;
  readonly bytes: number;
  /** Rows inserted, updated or deleted. */
  readonly rows: number;
  readonly indexEntries: number;
}

/** Reads what a database writes to the log of its server. */
export interface LogReader extends AsyncDisposable {
  /** The records since the last call, or since the reader was opened. */
  take(): Promise<Written>;
  /** The bytes by kind of record and by table or index since the last call, largest first. */
  takeKinds(): Promise<readonly { kind: string; name: string; records: number; bytes: number }[]>;
}

/** The records of this database, and those that end its transactions. Others may use the same server. */
const records = `with all_records as (
    select xid::text, resource_manager as manager, record_type as type, record_length - fpi_length as bytes, block_ref,
      block_ref like '%/' || (select oid from pg_database where datname = current_database()) || '/%' as own
    from pg_get_wal_records_info($1, $2) where resource_manager not in ('XLOG', 'Standby', 'LogicalMessage')),
  record as (
    select * from all_records
    where own or (block_ref is null or block_ref = '')
      and xid <> '0' and xid in (select xid from all_records where own))`;

const nothing: Written = { records: 0, bytes: 0, rows: 0, indexEntries: 0 };

const rowChanges = `'INSERT', 'INSERT+INIT', 'UPDATE', 'UPDATE+INIT', 'HOT_UPDATE', 'HOT_UPDATE+INIT', 'DELETE', 'MULTI_INSERT', 'MULTI_INSERT+INIT'`;

/** Opens a reader of the log; the role needs the rights of a superuser. */
export async function readLog(databaseUrl: string): Promise<LogReader> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  // What is on the disk can be read: the end of the log must get there, where commits do not wait for it.
  await client.query('set synchronous_commit = on');
  await client.query('create extension if not exists pg_walinspect');
  let from = await end();
  return {
    async take() {
      const to = await end();
      // The server refuses an empty range.
      if (to === from) return nothing;
      const { rows } = await client.query(
        `${records} select count(*)::int as records, coalesce(sum(bytes), 0)::int as bytes,
           count(*) filter (where manager in ('Heap', 'Heap2') and type in (${rowChanges}))::int as rows,
           count(*) filter (where manager in ('Btree', 'Gin', 'Gist', 'SPGist', 'BRIN', 'Hash') and type ~ 'INSERT|UPDATE')::int as "indexEntries"
         from record`,
        [from, to],
      );
      from = to;
      return rows[0];
    },
    async takeKinds() {
      const to = await end();
      if (to === from) return [];
      const { rows } = await client.query(
        `${records} select kind, name, count(*)::int as records, sum(bytes)::int as bytes from (
           select manager || ' ' || type as kind, bytes, coalesce((select relname from pg_class where relfilenode =
             substring(block_ref from 'rel \\d+/\\d+/(\\d+)')::oid limit 1), '') as name from record) as named
         group by kind, name order by bytes desc`,
        [from, to],
      );
      from = to;
      return rows;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };

  /** The end of the log. Records can be read when they are on the disk, as they are after a commit. */
  async function end(): Promise<string> {
    await client.query(`select pg_logical_emit_message(true, 'costs', '')`);
    const { rows } = await client.query('select pg_current_wal_flush_lsn() as lsn');
    return rows[0].lsn;
  }
}
