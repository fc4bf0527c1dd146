import {
  type Dictionary,
  type EntityMetadata,
  type NativeInsertUpdateOptions,
  QueryFlag,
  type QueryResult,
} from '@mikro-orm/core';
import {
  AbstractSqlDriver,
  type Configuration,
  MikroORM,
  type PostgreSqlConnection,
} from '@mikro-orm/postgresql';
import {
  type BindingConnection,
  bindingConnection,
  type Connections,
  isWhole,
  Noted,
} from './binding-connection.ts';
import { BindingPlatform } from './binding-platform.ts';
import { KnownReads } from './known-reads.ts';
import type { Bind, Built, KnownStatement } from './known-statement.ts';
import { KnownStatements } from './known-statements.ts';
import { type Shape, shapeOf, shapeOfUpdate, type Value, withValues } from './shape.ts';

type Execute = PostgreSqlConnection['execute'];
type Own<T> = (where: never, options: object) => Promise<T>;
type Options = {
  readonly ctx?: Parameters<Execute>[3];
  readonly em?: { readonly id: number };
  readonly lockMode?: number;
  readonly loggerContext?: object;
};
/** The reads of an EntityManager. */
export type ReadKind = 'find' | 'findOne' | 'count';

/** The filter that reads of entities have, as far as the statement of a read depends on its parameters. */
export interface KnownFilter {
  readonly name: string;
  /** The parameters that are values of conditions; each is a text. */
  readonly values: readonly string[];
  /**
   * The part of the shape that the other parameters are. Null where the conditions depend on more than these, so that
   * the ORM prepares each read.
   */
  shapeOf(parameters: Readonly<Record<string, unknown>>): string | null;
}

/**
 * MikroORM's PostgreSQL driver with bound parameters and statements by shape. The overridden methods are generic over the
 * entity, which is any here, so their values are of the type never.
 */
export class BindingDriver extends AbstractSqlDriver {
  readonly known = new KnownStatements();
  readonly filter: KnownFilter;
  /** The updates of transactions that were sent and have no result yet. */
  readonly #unsettled = new WeakMap<object, Promise<unknown>[]>();
  readonly #bind: Bind = (sql, params, isWhole) =>
    (this.platform as BindingPlatform).bind(sql, params, isWhole);

  constructor(config: Configuration, Connection: Connections, filter: KnownFilter) {
    super(config, new BindingPlatform(), bindingConnection(Connection), ['kysely', 'pg']);
    this.filter = filter;
  }

  /** As the driver's own, with the statement of an earlier query of the same shape. */
  override async find(entity: never, where: never, options: object = {}): Promise<never[]> {
    const own: Own<never[]> = (where, options) => super.find(entity, where, options) as never;
    const rows = await this.#read('find', entity, where, options, own);
    const meta: EntityMetadata = this.metadata.get(entity);
    return rows?.map((row) => this.mapResult(row, meta) as never) ?? own(where, options);
  }

  override async count(entity: never, where: never, options: object = {}): Promise<number> {
    const own: Own<number> = (where, options) => super.count(entity, where, options);
    const rows = await this.#read('count', entity, where, options, own);
    return rows ? Number(rows[0]?.count) : own(where, options);
  }

  /** The rows of a query; undefined where its shape has no statement yet. */
  async #read(kind: string, entity: never, where: never, options: Options, own: Own<unknown>) {
    const { virtual, className }: EntityMetadata = this.metadata.get(entity);
    // A lock without a transaction is an error, which the driver's own way reports.
    if (virtual || (options.lockMode && !options.ctx)) return undefined;
    const shape = shapeOf(`${kind} ${className}`, where, options);
    const build = (next: () => Value, noted: Noted) =>
      own(withValues(where, next) as never, { ...options, ctx: noted });
    return this.#execute<Dictionary[]>('all', shape, build, options, this.metadata.get(entity));
  }

  /** An update of one row by the unit of work. */
  override async nativeUpdate(
    entity: never,
    where: never,
    data: never,
    options: object = {},
  ): Promise<QueryResult<never>> {
    const own = (where: never, data: never, options: object) =>
      super.nativeUpdate(entity, where, data, options) as Promise<QueryResult<never>>;
    const { className }: EntityMetadata = this.metadata.get(entity);
    const {
      convertCustomTypes = true,
      upsert,
      unionWhere,
    } = options as NativeInsertUpdateOptions<object>;
    // The unit of work has converted its values.
    const isPlain = !convertCustomTypes && !upsert && !unionWhere;
    const shape = isPlain ? shapeOfUpdate(`update ${className}`, where, data) : undefined;
    if (shape && this.#sends(shape, options))
      return { affectedRows: 1, insertId: undefined as never };
    const build = (next: () => Value, noted: Noted) =>
      own(withValues(where, next) as never, withValues(data, next, true) as never, {
        ...options,
        ctx: noted,
      });
    const result = await this.#execute<QueryResult<never>>('run', shape, build, options);
    return result ?? own(where, data, options);
  }

  /**
   * Sends an update whose statement is known without waiting for its result, so that the updates of a flush leave
   * together. The connection refuses what follows a failed one, with its error.
   */
  #sends(shape: Shape, { ctx, em, loggerContext }: Options): boolean {
    const statement = this.known.get(shape.key);
    if (!statement || !ctx || isWhole(ctx)) return false;
    const bound = statement.boundTo(shape.values, false);
    if (bound.sql.includes(' returning ')) return false;
    const connection = this.getConnection() as BindingConnection;
    const context = { id: em?.id, ...loggerContext } as never;
    const sent = this.rethrow(connection.executeBound(bound, 'run', ctx, context));
    const unsettled = this.#unsettled.get(ctx) ?? [];
    unsettled.push(sent);
    this.#unsettled.set(ctx, unsettled);
    sent.catch(() => {});
    return true;
  }

  /** The updates of a transaction that were sent since the last call, and may have no result yet. */
  takeSent(ctx: object | undefined): readonly Promise<unknown>[] {
    const sent = (ctx && this.#unsettled.get(ctx)) ?? [];
    if (ctx) this.#unsettled.delete(ctx);
    return sent;
  }

  /**
   * Learns the statement of a plain read of an EntityManager. `read` prepares one with other values; only the first
   * `required` of them must be in the statement.
   */
  learn(
    kind: ReadKind,
    shape: Shape,
    required: number,
    read: (values: readonly Value[]) => Promise<readonly [entity: never, where: never, object]>,
  ): Promise<KnownStatement | null> {
    return this.known.of(shape, this.#bind, required, async (values) => {
      const [entity, where, options] = await read(values);
      const noted = new Noted();
      const one = { limit: 1, flags: [QueryFlag.DISABLE_PAGINATE] };
      const whole = { ...options, populate: [], ctx: noted, ...(kind === 'findOne' && one) };
      if (kind === 'count') await super.count(entity, where, whole);
      else await super.find(entity, where, { orderBy: {}, ...whole });
      return withColumns(noted.built, this.metadata.get(entity));
    });
  }

  /** The rows of a plain read. */
  async rowsOf(
    statement: KnownStatement,
    values: Shape['values'],
    context: unknown,
  ): Promise<unknown[]> {
    const connection = this.getConnection() as BindingConnection;
    try {
      return await connection.rowsOf(statement.boundTo(values, isWhole(context)), context);
    } catch (error) {
      throw this.convertException(error as Error);
    }
  }

  /** Executes the statement of a shape, if that is known; `build` lets the driver build it with other values. */
  async #execute<T>(
    method: 'all' | 'run',
    shape: Shape | undefined,
    build: (next: () => Value, noted: Noted) => Promise<unknown>,
    { ctx, em, loggerContext }: Options,
    meta?: EntityMetadata,
  ): Promise<T | undefined> {
    if (!shape) return undefined;
    const required = shape.values.length;
    const statement = await this.known.of(shape, this.#bind, required, async (values) => {
      const noted = new Noted();
      const marks = values.values();
      await build(() => marks.next().value as Value, noted);
      return meta ? withColumns(noted.built, meta) : noted.built;
    });
    if (!statement) return undefined;
    const connection = this.getConnection() as BindingConnection;
    await connection.ensureConnection();
    const bound = statement.boundTo(shape.values, isWhole(ctx));
    const context = { id: em?.id, ...loggerContext } as never;
    // Callers rely on the types of the driver's errors.
    return this.rethrow(connection.executeBound(bound, method, ctx, context) as Promise<T>);
  }

  override createEntityManager(useContext?: boolean) {
    return new KnownReads(this.config, this as never, this.metadata, useContext) as never;
  }

  override getORMClass() {
    return MikroORM;
  }
}

/** A statement that names the columns of its entity, instead of taking all that the table has. */
function withColumns(built: Built | null, { props }: EntityMetadata): Built | null {
  if (!built) return null;
  const columns = props
    .filter(({ persist, formula }) => persist !== false && !formula)
    .flatMap(({ fieldNames = [] }) => fieldNames);
  const sql = built.sql.replace(/^select ("\w+")\.\* /, (_, table) => {
    const named = columns.map((column) => `${table}."${column}"`);
    return `select ${named.join(', ')} `;
  });
  return { ...built, sql };
}
