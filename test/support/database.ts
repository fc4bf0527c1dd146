import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg, { escapeLiteral } from 'pg';
import { inject, onTestFinished } from 'vitest';
import { connect } from '#server/database/database.ts';

const longestCloseMilliseconds = 10_000;

/** Copies files instead of logging each of their pages: less than half of the work, where nothing waits for a disk. */
const asFiles = 'strategy file_copy';

/** A copy of the migrated template, for one test file. */
export interface TestDatabase extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly orm: MikroORM;
}

/** A copy of a template with its own connections. */
export async function cloneDatabase(template = 'tollgate'): Promise<TestDatabase> {
  const copy = await newDatabase(`template ${template}`);
  const { databaseUrl } = copy;
  const orm = await connectTo(databaseUrl);
  return {
    databaseUrl,
    orm,
    async [Symbol.asyncDispose]() {
      // A test that has failed within a transaction keeps its connection; the file ends all the same.
      await Promise.race([orm.close(true), sleep(longestCloseMilliseconds)]);
      await copy[Symbol.asyncDispose]();
    },
  };
}

const connectTo = (databaseUrl: string) =>
  connect({ databaseUrl, poolSize: 20, statementTimeoutSeconds: 30 });

/**
 * A template that the first file that needs it makes for all files. `fill` returns what they know of it, which each of
 * them gets.
 */
export async function templateOf<T>(name: string, fill: (orm: MikroORM) => Promise<T>): Promise<T> {
  const templateUrl = inject('templateUrl');
  return administer(templateUrl, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rows } = await client.query(
      `select shobj_description(oid, 'pg_database') as known from pg_database where datname = $1`,
      [name],
    );
    if (rows[0]?.known) return JSON.parse(rows[0].known) as T;
    await client.query(`drop database if exists ${name}`);
    await client.query(`create database ${name} template tollgate ${asFiles}`);
    const orm = await connectTo(urlOf(templateUrl, name));
    const known = await fill(orm);
    await orm.close(true);
    await client.query(`comment on database ${name} is ${escapeLiteral(JSON.stringify(known))}`);
    return known;
  });
}

/** An empty database. */
export const emptyDatabase = () => newDatabase('');

/** The address of a copy of the migrated template, for the processes of one test; its key is `templateKey`. */
export async function preparedUrl(): Promise<string> {
  return urlForTest(await newDatabase('template tollgate'));
}

/** The address of an empty database, for the processes of one test. */
export async function emptyUrl(): Promise<string> {
  return urlForTest(await newDatabase(''));
}

function urlForTest(database: Awaited<ReturnType<typeof newDatabase>>) {
  onTestFinished(() => database[Symbol.asyncDispose]());
  return database.databaseUrl;
}

async function newDatabase(options: string) {
  const templateUrl = inject('templateUrl');
  const name = `test_${crypto.randomUUID().slice(0, 8)}`;
  const execute = (statement: string) =>
    administer(templateUrl, (client) => client.query(statement));
  await execute(`create database ${name} ${options} ${asFiles}`);
  return {
    databaseUrl: urlOf(templateUrl, name),
    async [Symbol.asyncDispose]() {
      await execute(`drop database ${name} with (force)`);
    },
  };
}

const urlOf = (url: string, database: string) => url.replace(/\/[^/]*$/, `/${database}`);

async function administer<T>(templateUrl: string, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({ connectionString: urlOf(templateUrl, 'postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
