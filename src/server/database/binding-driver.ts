import { isRaw } from '@mikro-orm/core';
import {
  AbstractSqlDriver,
  type Configuration,
  EntityManager,
  MikroORM,
  NativeQueryBuilder,
  type PostgreSqlConnection,
  PostgreSqlPlatform,
} from '@mikro-orm/postgresql';
import { Member } from '#domain/kernel/lockstep.ts';
import { PooledConnection } from './pooled-connection.ts';

type Execute = PostgreSqlConnection['execute'];
type Query = Parameters<Execute>[0];
type Runner = { executeQuery(query: object, options?: object): Promise<never> };

/** PostgreSQL takes 65,535; further texts of a statement are inlined, escaped. */
const mostParameters = 60_000;

/** Collects the texts of a statement while the ORM builds it. */
class BindingPlatform extends PostgreSqlPlatform {
  #texts: string[] | undefined;
  #isWhole = false;

  /**
   * The statement with `$1`, `$2` … in place of texts, and the texts. Null stays in it. Numbers and instants stay unless
   * `isWhole` asks for one text for all values.
   */
  bind(
    sql: string,
    params: readonly unknown[],
    isWhole = false,
  ): { sql: string; texts: readonly string[] } {
    const texts: string[] = [];
    this.#texts = texts;
    this.#isWhole = isWhole;
    try {
      const bound = this.formatQuery(sql, [...params]);
      if (texts.length <= mostParameters) return { sql: bound, texts };
    } finally {
      this.#texts = undefined;
    }
    return { sql: this.formatQuery(sql, [...params]), texts: [] };
  }

  override escape(value: unknown): string {
    if (!this.#texts) return super.escape(value);
    const text = this.#isWhole ? wholeText(value) : value;
    if (typeof text !== 'string') return super.escape(value);
    this.#texts.push(text);
    return `$${this.#texts.length}`;
  }
}

/** Numbers and instants as texts; other values as they are. */
function wholeText(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
}

/** Sends texts as parameters, where the ORM's own connection writes them into the statement. */
class BindingConnection extends PooledConnection {
  override async execute(
    query: Query,
    params: readonly unknown[] = [],
    method: Parameters<Execute>[2] = 'all',
    ctx?: Parameters<Execute>[3],
    context?: Parameters<Execute>[4],
  ): Promise<never> {
    await this.ensureConnection();
    const raw = query instanceof NativeQueryBuilder ? query.toRaw() : query;
    const given = isRaw(raw) ? raw.sql : (raw as string);
    const values = isRaw(raw) ? raw.params : params;
    const text = this.config.get('onQuery')(given, [...values]);
    const { sql, texts } = (this.platform as BindingPlatform).bind(
      text,
      values,
      // The members of a batch share statements with different values.
      (ctx as unknown) instanceof Member,
    );
    const runner = (ctx ?? this.getClient()) as unknown as Runner;
    return this.executeQuery(
      text,
      async () => {
        const node = { kind: 'RawNode', sqlFragments: [sql], parameters: [] };
        const compiled = { sql, parameters: texts, query: node, queryId: {} };
        return this.transformRawResult(await runner.executeQuery(compiled), method);
      },
      { query: text, params: [], ...context } as never,
    ) as never;
  }
}

/** MikroORM's PostgreSQL driver with bound parameters, on a pool without broken connections. */
export class BindingDriver extends AbstractSqlDriver {
  constructor(config: Configuration) {
    super(config, new BindingPlatform(), BindingConnection, ['kysely', 'pg']);
  }

  override createEntityManager(useContext?: boolean) {
    const Manager = this.config.get('entityManager', EntityManager) as typeof EntityManager;
    return new Manager(this.config, this as never, this.metadata, useContext) as never;
  }

  override getORMClass() {
    return MikroORM as never;
  }
}
