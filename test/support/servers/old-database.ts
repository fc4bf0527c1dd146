import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { emptyDatabase } from '../database.ts';

const dump = new URL('../../fixtures/version-0.1.0.sql.gz', import.meta.url);

/**
 * A database with data of version 0.1.0, the oldest that can be upgraded. It has a row of every kind, in each table, and
 * was made with the code of that version and dumped.
 */
export async function oldDatabase() {
  const database = await emptyDatabase();
  await query(database.databaseUrl, gunzipSync(await readFile(dump)).toString());
  return database;
}

/** Runs SQL on a connection of its own. */
// biome-ignore lint/suspicious/noExplicitAny: rows are what the statement selects
export async function query(databaseUrl: string, sql: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
