import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { connect } from '#server/database.ts';

const longestCloseMilliseconds = 10_000;

/** A copy of the migrated template, for one test file. */
export interface TestDatabase extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly orm: MikroORM;
}

export async function cloneDatabase(): Promise<TestDatabase> {
  const copy = await newDatabase('template tollgate');
  const { databaseUrl } = copy;
  const orm = await connect({ databaseUrl, poolSize: 20, statementTimeoutSeconds: 30 });
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
  await administer(templateUrl, `create database ${name} ${options}`);
  return {
    databaseUrl: urlOf(templateUrl, name),
    [Symbol.asyncDispose]: () => administer(templateUrl, `drop database ${name} with (force)`),
  };
}

const urlOf = (url: string, database: string) => url.replace(/\/[^/]*$/, `/${database}`);

async function administer(templateUrl: string, statement: string) {
  const client = new pg.Client({ connectionString: urlOf(templateUrl, 'postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
