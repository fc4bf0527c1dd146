import path from 'node:path';
import type { MigrateOptions, MikroORM, Transaction } from '@mikro-orm/core';
import { Migrator as OrmMigrator } from '@mikro-orm/migrations';
import { root } from '#root';
import { baseline, beforeBaseline, beforeBaselineFolder, isBeforeBaseline } from './migrations.ts';
import { applyRehearsalTables } from './rehearsal-tables.ts';
import { applySqlFunctions, type Execute } from './sql-functions.ts';

/** Any number that every process of this service agrees on: one at a time changes the schema. */
const schemaLock = 7_011_447_003;

/**
 * Migrates the schema of a database in one transaction. A database of an earlier version gets the steps to the
 * baseline first; then come the migrations and the functions. The start and the command line use the same one. The
 * ORM adds its own migrator unless there is an extension with the name `Migrator`.
 */
export class Migrator extends OrmMigrator {
  #isBeforeBaseline = false;

  static override register(orm: MikroORM) {
    orm.config.registerExtension(
      '@mikro-orm/migrator',
      () => new Migrator(orm.em as never) as never,
    );
  }

  protected override async discoverMigrations() {
    if (!this.#isBeforeBaseline) return super.discoverMigrations();
    const folder = path.join(root, beforeBaselineFolder);
    return beforeBaseline.map((name) =>
      this.resolve({ name: `${name}.ts`, path: path.join(folder, `${name}.ts`) }),
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
      const first = await this.#reachBaseline(transaction, execute);
      const then = await super.runMigrations('up', { ...asOptions(options), transaction });
      await applySqlFunctions(execute);
      await applyRehearsalTables(execute);
      return [...first, ...then];
    });
  }

  /** Executes the steps that a database lacks to the baseline, and records them as the baseline. */
  async #reachBaseline(transaction: Transaction, execute: Execute) {
    const applied = await execute<{ name: string }>('select name from mikro_orm_migrations');
    if (!isBeforeBaseline(applied.map(({ name }) => name))) return [];
    this.#isBeforeBaseline = true;
    try {
      const done = await super.runMigrations('up', { transaction });
      await execute('delete from mikro_orm_migrations');
      await execute(`insert into mikro_orm_migrations (name) values ('${baseline}')`);
      return done;
    } finally {
      this.#isBeforeBaseline = false;
    }
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
