import path from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { expect } from 'vitest';
import { baseDir, knownMigrations } from '#server/database/migrations.ts';
import { prepareDatabase } from '#server/database.ts';
import ormConfig from '../../mikro-orm.config.ts';
import { cloneDatabase, emptyDatabase } from '../support/database.ts';
import { Migration20261121140000 } from '../support/first-usage-migration.ts';
import { schemaOf } from '../support/schema-of.ts';
import { test } from '../support/test.ts';

const now = new Date();

/** Applies migrations up to a name, with some of them in another text. */
async function migrateTo(databaseUrl: string, last: string, texts: Record<string, unknown>) {
  const names = knownMigrations.filter((name) => name <= last);
  const migrationsList = await Promise.all(
    names.map(async (name) => {
      const file = await import(path.join(baseDir, 'src/migrations', `${name}.ts`));
      return { name, class: (texts[name] ?? file[name]) as never };
    }),
  );
  const orm = await MikroORM.init({
    ...ormConfig,
    clientUrl: databaseUrl,
    migrations: { ...ormConfig.migrations, silent: true, migrationsList },
  });
  await orm.migrator.up();
  await orm.close();
}

async function query(databaseUrl: string, sql: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('a database that ran the first text of a migration gets the schema of a new one', async ({
  database,
}) => {
  await using old = await emptyDatabase();
  await migrateTo(old.databaseUrl, 'Migration20261121170000', { Migration20261121140000 });
  const reports: string[] = [];
  await prepareDatabase(old.databaseUrl, { now, report: (line) => reports.push(line) });
  expect(await schemaOf(old.databaseUrl)).toEqual(await schemaOf(database.databaseUrl));
  // Each migration that is applied to a database with data leaves a line.
  expect(reports[0]).toBe('Applying the migration Migration20261121171500');
  expect(reports).toContain('Applying the migration Migration20261122020100');
});

test('totals that were kept for each connection are merged', async () => {
  await using old = await emptyDatabase();
  await migrateTo(old.databaseUrl, 'Migration20261121193000', {});
  await query(
    old.databaseUrl,
    `insert into row_count (relation, pricing_model_id, backend, rows)
       select 'product', 'pricing_model_x', n, 2 from generate_series(0, 999) n;
     insert into revenue_day (pricing_model_id, currency, day, backend, invoiced, paid, refunded)
       select 'pricing_model_x', 'USD', date '2026-01-01', n, 3, 2, 1 from generate_series(0, 999) n`,
  );
  await prepareDatabase(old.databaseUrl, { now });
  expect(
    await query(
      old.databaseUrl,
      `select relation, rows::int, invoiced::int, paid::int, refunded::int
       from row_count join revenue_day using (pricing_model_id) where pricing_model_id = 'pricing_model_x'`,
    ),
  ).toEqual([{ relation: 'product', rows: 2_000, invoiced: 3_000, paid: 2_000, refunded: 1_000 }]);
});

test('a database of a newer version is refused, and stays as it is', async () => {
  await using newer = await cloneDatabase();
  await query(
    newer.databaseUrl,
    `insert into mikro_orm_migrations (name) values ('Migration29990101000000')`,
  );
  await expect(prepareDatabase(newer.databaseUrl, { now })).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/^DATABASE_URL .* newer version.*Migration29990101000000/),
  });
});

test('a role without the rights that migrations need is told what to grant, in one line', async () => {
  await using empty = await emptyDatabase();
  const role = `role_${crypto.randomUUID().slice(0, 8)}`;
  await query(empty.databaseUrl, `create role ${role} login password 'secret'`);
  const address = new URL(empty.databaseUrl);
  const { pathname } = address;
  address.username = role;
  address.password = 'secret';
  const refused = (message: string) =>
    expect(prepareDatabase(address.href, { now })).rejects.toMatchObject({
      name: 'ConfigError',
      message: `DATABASE_URL ${address.host}${pathname} cannot be used: ${message}`,
    });
  try {
    await refused(
      `the role ${role} may not create tables; run as the owner of the database: grant create, usage on schema public to "${role}"`,
    );
    await query(empty.databaseUrl, `grant create, usage on schema public to ${role}`);
    await refused(
      `the role ${role} may not install the extension btree_gist; run as a superuser: create extension btree_gist, or grant create on database "${pathname.slice(1)}" to "${role}"`,
    );
    await query(empty.databaseUrl, 'create extension btree_gist');
    expect(await prepareDatabase(address.href, { now })).toMatch(/^sk_test_/);
  } finally {
    await query(empty.databaseUrl, `drop owned by ${role} cascade`);
    await query(empty.databaseUrl, `drop role ${role}`);
  }
});
