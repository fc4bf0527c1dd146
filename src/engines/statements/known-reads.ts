import { type EntityMetadata, helper, type UnitOfWork } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import type { BindingDriver, ReadKind } from './binding-driver.ts';
import { recordOf } from './record-of.ts';
import { type Shape, shapeOf, type Value, withValues } from './shape.ts';

type Row = Record<string, unknown>;
interface Options {
  readonly refresh?: boolean;
  readonly lockMode?: number;
  readonly limit?: number;
  /** Whether the rows are only read, so that the identity map does not take them. */
  readonly disableIdentityMap?: boolean;
}

/** The options of a plain read, which populates nothing. */
const plain = new Set(['orderBy', 'limit', 'offset', 'lockMode', 'refresh']);

interface Read {
  readonly em: KnownReads;
  readonly meta: EntityMetadata<Row>;
  readonly rows: Row[];
}

/**
 * An EntityManager that executes plain reads of a known shape without preparing them again: conditions, filters and
 * options are the same as of an earlier read. Entities, the identity map and errors are those of the ORM. The overridden
 * methods are generic over the entity, which is any here, so their values are of the type never.
 */
export class KnownReads extends EntityManager {
  override async find(entity: never, where: never, options: object = {}): Promise<never[]> {
    const { disableIdentityMap: onlyRead, ...rest } = options as Options;
    const read = await this.#read('find', entity, where, rest);
    if (!read) return super.find(entity, where, rest);
    if (onlyRead) return read.rows.map((row) => recordOf<never>(read.em, read.meta, row));
    const found = read.rows.map((row) => entityOf(read, row, options));
    await read.em.getUnitOfWork().dispatchOnLoadEvent();
    return found as never[];
  }

  override async findOne(entity: never, where: never, options: object = {}): Promise<never> {
    const known = await this.#loaded(entity, where, options);
    if (known) return known;
    const read = await this.#read('findOne', entity, where, options);
    if (!read) return super.findOne(entity, where, options) as Promise<never>;
    const [row] = read.rows;
    if (!row) return null as never;
    const found = entityOf(read, row, options);
    await read.em.getUnitOfWork().dispatchOnLoadEvent();
    return found as never;
  }

  /** As the ORM's own, and waits for the updates that were sent. Errors: those of the ORM. */
  override async flush(): Promise<void> {
    const em = this.getContext();
    const driver = em.getDriver() as unknown as BindingDriver;
    const context = em.getTransactionContext();
    try {
      await super.flush();
    } catch (error) {
      driver.takeSent(context);
      throw error;
    }
    for (const sent of driver.takeSent(context)) await sent;
  }

  override async count(entity: never, where: never, options: object = {}): Promise<number> {
    const read = await this.#read('count', entity, where, options);
    if (!read) return super.count(entity, where, options);
    return Number(read.rows[0]?.count);
  }

  /** An entity that is loaded, and not to be read again. */
  async #loaded(entity: never, where: never, options: object): Promise<never | undefined> {
    for (const _ in options) return undefined;
    const em = this.getContext();
    const units = em.getUnitOfWork();
    const found: object | null = units.tryGetById(entity, where);
    if (!found || !helper(found).isManaged()) return undefined;
    const meta: EntityMetadata = em.getMetadata().get(entity);
    await flushFor(em, units, meta);
    return em.shouldRefresh(meta, found, options) ? undefined : found;
  }

  /** The rows of a read; undefined where its shape has no statement yet. */
  async #read(
    kind: ReadKind,
    entity: never,
    where: unknown,
    options: object,
  ): Promise<Read | undefined> {
    for (const name in options) if (!plain.has(name)) return undefined;
    const em = this.getContext();
    const meta: EntityMetadata<Row> = em.getMetadata().get(entity);
    const { lockMode, limit } = options as Options;
    const context = em.getTransactionContext();
    // Errors are reported by the ORM's own way.
    const isError = (lockMode && !context) || (kind === 'findOne' && isEmpty(where));
    if (isError || meta.virtual || meta.orderBy || (kind !== 'find' && limit !== undefined)) return;
    const driver = em.getDriver() as unknown as BindingDriver;
    const { filter } = driver;
    const scope = em.getFilterParams<Row>(filter.name);
    const mode = scope ? filter.shapeOf(scope) : '';
    if (mode === null) return undefined;
    const own = shapeOf(`em.${kind} ${meta.className} ${mode}`, where, options);
    if (!own) return undefined;
    const visible = filter.values.map((name) => (scope?.[name] as string | undefined) ?? '');
    const shape: Shape = { key: own.key, values: [...own.values, ...visible] };
    const statement =
      driver.known.get(shape.key) ??
      (await driver.learn(kind, shape, own.values.length, async (tags) => {
        const conditions = withTags(where, tags);
        const others = tags.slice(own.values.length);
        const named = filter.values.map((name, place) => [name, others[place]]);
        const filters = scope ? { [filter.name]: { ...scope, ...Object.fromEntries(named) } } : {};
        const whole = await em.processWhere(entity, conditions as never, { filters }, 'read');
        return [entity, whole as never, options];
      }));
    if (!statement) return undefined;
    await flushFor(em, em.getUnitOfWork(), meta);
    const rows = await driver.rowsOf(statement, shape.values, context);
    return { em, meta, rows: rows as Row[] };
  }
}

/** Flushes new entities of the type that is read, as the ORM does. */
async function flushFor(em: EntityManager, units: UnitOfWork, meta: EntityMetadata) {
  if (units.shouldAutoFlush(meta)) await em.flush();
}

const isEmpty = (where: unknown) =>
  typeof where === 'object' && where !== null && Object.keys(where).length === 0;

function withTags(where: unknown, tags: readonly Value[]): unknown {
  const values = tags.values();
  return withValues(where, () => values.next().value as Value);
}

function entityOf({ em, meta }: Read, row: Row, { refresh = false }: Options): object {
  const data = em.getDriver().mapResult(row, meta) as unknown as Row;
  const [key = ''] = meta.primaryKeys;
  const units = em.getUnitOfWork();
  const known: object | undefined = meta.simplePK
    ? units.getById(meta.class, data[key])
    : undefined;
  if (known && !refresh && isUnchanged(units, known, data)) return known;
  // There is nothing to merge into a reference.
  const isReference = known && !helper(known).isInitialized() && Object.keys(known).length === 1;
  const options = { merge: true, refresh: refresh || !!isReference, convertCustomTypes: true };
  return em.getEntityFactory().create(meta.class, data, options);
}

/** Whether a row is as it was read before, so that there is nothing to merge into its entity. */
function isUnchanged(units: UnitOfWork, known: object, data: Row): boolean {
  const original = units.getOriginalEntityData(known);
  if (!helper(known).isInitialized() || !original) return false;
  const before = original as Row;
  for (const name in data) {
    const [one, other] = [data[name], before[name]];
    if (one === other || (one == null && other == null)) continue;
    if (!(one instanceof Date && other instanceof Date && +one === +other)) return false;
  }
  return true;
}
