import { isRaw } from '@mikro-orm/core';
import { NativeQueryBuilder, type PostgreSqlConnection } from '@mikro-orm/postgresql';
import { Member } from '#engines/lockstep/lockstep.ts';
import type { BindingPlatform } from './binding-platform.ts';
import type { Bound, Built } from './known-statement.ts';

type Execute = PostgreSqlConnection['execute'];
type Query = Parameters<Execute>[0];
type Runner = { executeQuery(query: object): Promise<{ rows: unknown[] }> };

/** A class of connections: the ORM's own, or one that extends it. */
export type Connections = typeof PostgreSqlConnection;

/** A connection that executes statements whose texts are bound. */
export interface BindingConnection extends PostgreSqlConnection {
  /** Executes a statement whose texts are bound. */
  executeBound(
    bound: Bound,
    method: Parameters<Execute>[2],
    ctx: Parameters<Execute>[3],
    context: Parameters<Execute>[4],
  ): Promise<never>;
  /** The rows of a query whose texts are bound. */
  rowsOf(bound: Bound, ctx: unknown): Promise<unknown[]>;
}

/** Takes the place of a transaction, and notes the statement instead of executing it. */
export class Noted {
  #built: Built | null = null;

  note(built: Built) {
    this.#built = built;
  }

  /** Null for a statement with joins or subqueries: they get the filters of the caller's tenant. */
  get built(): Built | null {
    const isPlain = this.#built && !/ join |.\bselect\b/s.test(this.#built.sql);
    return isPlain ? this.#built : null;
  }
}

/** Connections that send texts as parameters, where the ORM's own write them into the statement. */
export function bindingConnection(
  Connection: Connections,
): new (
  ...args: ConstructorParameters<Connections>
) => BindingConnection {
  return class extends Connection {
    override async execute(
      query: Query,
      params: readonly unknown[] = [],
      method: Parameters<Execute>[2] = 'all',
      ctx?: Parameters<Execute>[3],
      context?: Parameters<Execute>[4],
    ): Promise<never> {
      const raw = query instanceof NativeQueryBuilder ? query.toRaw() : query;
      const given = isRaw(raw) ? raw.sql : (raw as string);
      const values = isRaw(raw) ? raw.params : params;
      if ((ctx as unknown) instanceof Noted) {
        (ctx as unknown as Noted).note({ sql: given, params: values });
        return [] as never;
      }
      await this.ensureConnection();
      const bound = (this.platform as BindingPlatform).bind(given, values, isWhole(ctx));
      return this.executeBound(bound, method, ctx, context);
    }

    /** Executes a statement whose texts are bound. */
    executeBound(
      bound: Bound,
      method: Parameters<Execute>[2],
      ctx: Parameters<Execute>[3],
      context: Parameters<Execute>[4],
    ): Promise<never> {
      const runner = (ctx ?? this.getClient()) as unknown as Runner;
      return this.executeQuery(
        bound.sql,
        async () => this.transformRawResult(await runner.executeQuery(compiled(bound)), method),
        context,
      );
    }

    /** The rows of a query whose texts are bound. */
    rowsOf(bound: Bound, ctx: unknown): Promise<unknown[]> {
      const runner = (ctx ?? this.getClient()) as Runner;
      return this.executeQuery(
        bound.sql,
        async () => (await runner.executeQuery(compiled(bound))).rows,
      ) as Promise<unknown[]>;
    }
  };
}

/** The form in which connections take a statement; one with a name is an object. */
function compiled({ sql, texts, name }: Bound) {
  const query = { kind: 'RawNode', sqlFragments: [sql], parameters: [] };
  return { sql: name ? { name, text: sql } : sql, parameters: texts, query, queryId: {} };
}

/** The members of a batch share statements with different values. */
export const isWhole = (ctx: unknown) => ctx instanceof Member;
