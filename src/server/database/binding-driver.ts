import { type Dictionary, type EntityMetadata, isRaw } from '@mikro-orm/core';
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
import { type Bound, type Built, KnownFind } from './known-find.ts';
import { PooledConnection } from './pooled-connection.ts';
import { type Shape, shapeOf } from './shape.ts';

type Execute = PostgreSqlConnection['execute'];
type Query = Parameters<Execute>[0];
type Options = {
  readonly ctx?: Parameters<Execute>[3];
  readonly em?: { readonly id: number };
  readonly lockMode?: number;
  readonly loggerContext?: object;
};
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
  bind(sql: string, params: readonly unknown[], isWhole = false): Bound {
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

/** Takes the place of a transaction, and notes the statement instead of executing it. */
class Noted {
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

/** Sends texts as parameters, where the ORM's own connection writes them into the statement. */
class BindingConnection extends PooledConnection {
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
    { sql, texts }: Bound,
    method: Parameters<Execute>[2],
    ctx: Parameters<Execute>[3],
    context: Parameters<Execute>[4],
  ): Promise<never> {
    const runner = (ctx ?? this.getClient()) as unknown as Runner;
    return this.executeQuery(
      sql,
      async () => {
        const node = { kind: 'RawNode', sqlFragments: [sql], parameters: [] };
        const compiled = { sql, parameters: texts, query: node, queryId: {} };
        return this.transformRawResult(await runner.executeQuery(compiled), method);
      },
      context as never,
    ) as never;
  }
}

/** The members of a batch share statements with different values. */
const isWhole = (ctx: unknown) => ctx instanceof Member;

/** More shapes than the program has; conditions of callers add to them. */
const mostShapes = 2_000;

/** MikroORM's PostgreSQL driver with bound parameters, on a pool without broken connections. */
export class BindingDriver extends AbstractSqlDriver {
  /** The statements of queries by their shapes; null for shapes that have none. */
  readonly #finds = new Map<string, KnownFind | 'seen' | null>();

  constructor(config: Configuration) {
    super(config, new BindingPlatform(), BindingConnection, ['kysely', 'pg']);
  }

  /**
   * As the driver's own, with the statement of an earlier query of the same shape: building it takes longer than its
   * result. The second query of a shape learns its statement, so that a shape that is not repeated costs nothing.
   */
  override async find(entity: never, where: never, given: object = {}): Promise<never[]> {
    const options: Options = given;
    const known = await this.#knownFind(entity, where, options);
    if (!known) return super.find(entity, where, given) as Promise<never[]>;
    const { statement, shape, meta } = known;
    const { ctx, loggerContext, em } = options;
    const connection = this.getConnection() as BindingConnection;
    await connection.ensureConnection();
    const bound = statement.boundTo(shape.values, isWhole(ctx));
    const rows: Dictionary[] = await connection.executeBound(bound, 'all', ctx, {
      id: em?.id,
      ...loggerContext,
    } as never);
    return rows.map((row) => this.mapResult(row, meta) as never);
  }

  async #knownFind(entity: never, where: unknown, options: Options) {
    const meta: EntityMetadata = this.metadata.get(entity);
    if (meta.virtual || (options.lockMode && !options.ctx)) return undefined;
    const shape = shapeOf(meta.className, where, options);
    if (!shape) return undefined;
    let statement = this.#finds.get(shape.key);
    if (statement === 'seen') {
      statement = await this.#learn(meta, shape, where, options);
      this.#finds.set(shape.key, statement);
    } else if (statement === undefined) {
      const [oldest] = this.#finds.keys();
      if (this.#finds.size >= mostShapes) this.#finds.delete(oldest as string);
      this.#finds.set(shape.key, 'seen');
    }
    return statement instanceof KnownFind ? { statement, shape, meta } : undefined;
  }

  async #learn({ class: entity }: EntityMetadata, shape: Shape, where: unknown, options: object) {
    const platform = this.platform as BindingPlatform;
    const noted = new Noted();
    const build = async (marked: unknown) => {
      await super.find(entity as never, marked as never, { ...options, ctx: noted } as never);
      return noted.built;
    };
    try {
      return await KnownFind.learn(platform.bind.bind(platform), shape, where, build);
    } catch {
      // Conditions that refuse the marks are built for each query; that reports errors of the caller, too.
      return null;
    }
  }

  override createEntityManager(useContext?: boolean) {
    const Manager = this.config.get('entityManager', EntityManager) as typeof EntityManager;
    return new Manager(this.config, this as never, this.metadata, useContext) as never;
  }

  override getORMClass() {
    return MikroORM as never;
  }
}
