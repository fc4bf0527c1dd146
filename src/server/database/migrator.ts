import type { MigrateOptions, MikroORM, Transaction } from '@mikro-orm/core';
import { Migrator as OrmMigrator } from '@mikro-orm/migrations';
import { applyRehearsalTables } from './rehearsal-tables.ts';
import { applySqlFunctions, type Execute } from './sql-functions.ts';

/** Any number that every process of this service agrees on: one at a time changes the schema. */
const schemaLock = 7_011_447_003;

/**
 * Migrates the schema of a database in one transaction: the migrations that it lacks, then the functions. The ORM adds
 * its own migrator unless there is an extension with the name `Migrator`.
 */
export class Migrator extends OrmMigrator {
  static override register(orm: MikroORM) {
    orm.config.registerExtension(
      '@mikro-orm/migrator',
      () => new Migrator(orm.em as never) as never,
    );
  }

  protected override async runMigrations(
    method: 'up' | 'down',
    options?: string | string[] | MigrateOptions,
  ) {
    if (method === 'down') return super.runMigrations(method, options);
    await this.init();
    return this.driver.getConnection().transactional(async (transaction) => {
      const execute = this.#executeIn(transaction);
      await execute(`select pg_advisory_xact_lock(${schemaLock})`);
      const done = await super.runMigrations('up', { ...asOptions(options), transaction });
      await applySqlFunctions(execute);
      await applyRehearsalTables(execute);
      return done;
    });
  }

  #executeIn(transaction: Transaction): Execute {
    return <Row extends object>(sql: string) =>
      this.driver.getConnection().execute(sql, [], 'all', transaction) as unknown as Promise<Row[]>;
  }
}

function asOptions(options: string | string[] | MigrateOptions = {}): MigrateOptions {
  if (typeof options === 'string') return { migrations: [options] };
  return Array.isArray(options) ? { migrations: options } : options;
}
