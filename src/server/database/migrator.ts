import type { MikroORM } from '@mikro-orm/postgresql';
import { pendingMigrations, statementsOf } from './migrations.ts';
import { applyRehearsalTables } from './rehearsal-tables.ts';
import { applySqlFunctions, type Execute } from './sql-functions.ts';

/** Any number that every process of this service agrees on: one at a time changes the schema. */
const schemaLock = 7_011_447_003;

const table = `create table mikro_orm_migrations (
  id serial primary key, name varchar(255) not null, executed_at timestamptz(6) not null default current_timestamp(6))`;

/**
 * Migrates the schema of a database in one transaction: the migrations that it lacks, then the functions. `report` gets
 * a line for people about each step.
 */
export async function migrateSchema(
  orm: MikroORM,
  report: (line: string) => void = () => {},
): Promise<void> {
  const connection = orm.driver.getConnection();
  await connection.transactional(async (transaction) => {
    const execute: Execute = (sql) => connection.execute(sql, [], 'all', transaction);
    await execute(`select pg_advisory_xact_lock(${schemaLock})`);
    for (const name of pendingMigrations(await appliedIn(execute))) {
      const began = performance.now();
      report(`Applying the migration ${name}`);
      await execute(await statementsOf(name));
      await execute(`insert into mikro_orm_migrations (name) values ('${name}')`);
      report(`The migration ${name} has taken ${Math.round(performance.now() - began)} ms`);
    }
    await applySqlFunctions(execute);
    await applyRehearsalTables(execute);
  });
}

/** The names of the migrations that the database has. Makes their table, if it is missing. */
async function appliedIn(execute: Execute): Promise<string[]> {
  const [found] = await execute<{ there: boolean }>(
    `select to_regclass('mikro_orm_migrations') is not null as there`,
  );
  if (!found?.there) await execute(table);
  const rows = await execute<{ name: string }>('select name from mikro_orm_migrations');
  return rows.map(({ name }) => name);
}
