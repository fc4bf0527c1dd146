import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { inject } from 'vitest';
import { connect } from '#server/database.ts';

/** A copy of the migrated template, for one test file. */
export interface TestDatabase extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly orm: MikroORM;
}

export async function cloneDatabase(): Promise<TestDatabase> {
  const templateUrl = inject('templateUrl');
  const name = `test_${crypto.randomUUID().slice(0, 8)}`;
  const databaseUrl = urlOf(templateUrl, name);
  await administer(templateUrl, `create database ${name} template tollgate`);
  const orm = await connect({ databaseUrl, poolSize: 20, statementTimeoutSeconds: 30 });
  return {
    databaseUrl,
    orm,
    async [Symbol.asyncDispose]() {
      await orm.close(true);
      await administer(templateUrl, `drop database ${name} with (force)`);
    },
  };
}

/** An empty database. */
export async function emptyDatabase(): Promise<AsyncDisposable & { readonly databaseUrl: string }> {
  const templateUrl = inject('templateUrl');
  const name = `test_${crypto.randomUUID().slice(0, 8)}`;
  await administer(templateUrl, `create database ${name}`);
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
