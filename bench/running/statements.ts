import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** A kind of statement, as `pg_stat_statements` counts it. */
export interface StatementCost {
  readonly calls: number;
  readonly milliseconds: number;
  readonly text: string;
}

let folder: string | undefined;
let kept = 0;

/** From now on the databases of the benchmark count their statements, and leave the counts in a folder. */
export function keepStatements(of: string) {
  folder = of;
}

/** Whether databases count their statements. */
export const areStatementsKept = () => folder !== undefined;

/** Lets a database count its statements from its next start on. */
export const countFromNextStart = (databaseUrl: string) =>
  run(databaseUrl, `alter system set shared_preload_libraries = 'pg_stat_statements'`);

/** Begins the count. It is kept in another database than the service's, which finds no foreign tables so. */
export const beginCount = (databaseUrl: string) =>
  run(databaseUrl, 'create extension pg_stat_statements');

/** Writes the costs of a database's statements to the folder. */
export async function leaveStatements(databaseUrl: string) {
  const rows = await run(
    databaseUrl,
    `select sum(calls)::float8 as calls, sum(total_exec_time) as milliseconds, min(query) as text
     from pg_stat_statements join pg_database d on d.oid = dbid where datname <> 'postgres'
     group by queryid order by 2 desc limit 30`,
  );
  await writeFile(join(folder ?? '.', `statements-${++kept}.json`), JSON.stringify(rows));
}

/** The statements that a run has left in a folder. */
export async function leftStatements(of: string): Promise<StatementCost[][]> {
  const files = (await readdir(of)).filter((name) => name.startsWith('statements-')).sort();
  return Promise.all(files.map(async (name) => JSON.parse(await readFile(join(of, name), 'utf8'))));
}

async function run(databaseUrl: string, sql: string): Promise<StatementCost[]> {
  const client = new pg.Client(databaseUrl.replace(/\/[^/]*$/, '/postgres'));
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
