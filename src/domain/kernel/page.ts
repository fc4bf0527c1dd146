import { createHash } from 'node:crypto';
import { type EntityClass, type FilterQuery, type QueryOrderMap, raw } from '@mikro-orm/core';
import { oldestFirst } from './columns.ts';
import { invalid } from './errors.ts';
import { isInstant } from './inputs.ts';
import { countRows } from './row-count.ts';
import type { Session } from './session.ts';

/** The order of lists: by creation, oldest first by default; rows of one instant in the order of writing. */
export const listOrders = ['created_at_asc', 'created_at_desc'] as const;
export type ListOrder = (typeof listOrders)[number];

export const defaultPageSize = 10;
export const maximalPageSize = 100;

/** The arguments of every list, as Relay names them. */
export interface PageInput {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: object | null | undefined;
  /** The filter's condition on the table at this instant, where it needs more than equal columns. */
  condition?: object | null | undefined;
  orderBy?: ListOrder | null | undefined;
  /** SQL for the position of a row by its id and pricing model, where the table has no index of ids. */
  positionSql?: string | undefined;
}

/** The columns of every listed row that determine its place in the order. */
export interface Listed {
  id: string;
  createdAt: Date;
  /** Never in a cursor, unlike `id` and `createdAt`, since it counts the rows of all tenants. */
  position: number;
}

export interface Page<T> {
  readonly edges: readonly { readonly cursor: string; readonly node: T }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly hasMore: boolean;
  /** The cursor that the caller gave. */
  readonly currentCursor: string | null;
  /** Where the next page starts; null on the last one. */
  readonly nextCursor: string | null;
  /** Exact number of rows in the whole list; computed only when called. */
  readonly totalCount: () => Promise<number>;
}

/**
 * One page of a list. Costs one statement whatever the depth, since the cursor names a place in the
 * index. Errors: BAD_REQUEST for a size outside 1–100 and for a cursor of another list.
 */
export async function page<T extends Listed>(
  session: Session,
  entity: EntityClass<T>,
  { first, after, last, before, filter, condition = filter, orderBy, positionSql }: PageInput,
): Promise<Page<T>> {
  if (first != null && last != null)
    throw invalid('NOT_ALLOWED', 'last', 'cannot be combined with first: give one of the two');
  const backward = last != null || (before != null && first == null);
  const size = pageSize(backward ? 'last' : 'first', backward ? last : first);
  const list = fingerprint(session, entity.name, filter, orderBy);
  const descending = (orderBy === 'created_at_desc') !== backward;

  const positionOf = positionSqlOf(session, entity, positionSql);
  const beyond = (argument: string, cursor: string | null | undefined, descending: boolean) =>
    cursor == null ? {} : past(placeOf(list, argument, cursor), positionOf, descending);
  const rows = await session.em.find<Listed>(
    entity as EntityClass<Listed>,
    {
      $and: [
        (condition ?? {}) as FilterQuery<Listed>,
        beyond('after', after, orderBy === 'created_at_desc'),
        beyond('before', before, orderBy !== 'created_at_desc'),
      ],
    },
    { orderBy: descending ? newestFirst : oldestFirst, limit: size + 1 },
  );
  const hasMore = rows.length > size;
  const nodes = rows.slice(0, size) as T[];
  if (backward) nodes.reverse();

  const edges = nodes.map((node) => ({ cursor: cursorOf(list, node), node }));
  const endCursor = edges.at(-1)?.cursor ?? null;
  return {
    edges,
    pageInfo: {
      hasNextPage: backward ? before != null : hasMore,
      hasPreviousPage: backward ? hasMore : after != null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor,
    },
    hasMore,
    currentCursor: after ?? before ?? null,
    nextCursor: hasMore ? (backward ? (edges[0]?.cursor ?? null) : endCursor) : null,
    totalCount: () => countRows(session, entity, condition),
  };
}

function pageSize(argument: string, size: number | null | undefined) {
  if (size == null) return defaultPageSize;
  if (size < 1 || size > maximalPageSize) {
    throw invalid('OUT_OF_RANGE', argument, `must be from 1 to ${maximalPageSize}`);
  }
  return size;
}

const newestFirst: QueryOrderMap<Listed> = { createdAt: 'desc', position: 'desc', id: 'desc' };

interface PositionSql {
  /** SQL with the id of the row and the tenant as parameters. */
  readonly sql: string;
  readonly tenant: string;
}

/** SQL for the position of a row of the session's tenant: a forged cursor reads nothing of another one. */
function positionSqlOf(
  { em, organizationId, pricingModelId }: Session,
  entity: EntityClass<object>,
  sql?: string,
): PositionSql {
  const { tableName, properties } = em.getMetadata(entity);
  const of = (column: string) =>
    `select position from "${tableName}" where id = ? and ${column} = ?`;
  if ('pricingModelId' in properties) {
    return { sql: sql ?? of('pricing_model_id'), tenant: pricingModelId };
  }
  if ('organizationId' in properties) return { sql: of('organization_id'), tenant: organizationId };
  return { sql: of("''"), tenant: '' };
}

/**
 * Rows strictly past a place, as one comparison that an index serves. The position of the cursor's row is looked
 * up, so that no cursor shows it. Without the row, rows of its instant are repeated rather than left out.
 */
function past(
  { createdAt, id }: Place,
  { sql, tenant }: PositionSql,
  descending: boolean,
): FilterQuery<Listed> {
  const [sign, unknown] = descending ? ['<', '9223372036854775807'] : ['>', '0'];
  const condition = raw(
    (alias) =>
      `(${alias}.created_at, ${alias}.position, ${alias}.id) ${sign} (?::timestamptz, coalesce((${sql}), ${unknown}), ?)`,
    [createdAt, id, tenant, id],
  );
  return { [condition as unknown as string]: [] } as FilterQuery<Listed>;
}

/** Ties a cursor to its list: the tenant, the entity, the filter and the order. */
function fingerprint(
  { organizationId, livemode, pricingModelId }: Session,
  entity: string,
  filter: object | null | undefined,
  orderBy: ListOrder | null | undefined,
) {
  const tenant = [organizationId, livemode, pricingModelId];
  const list = [tenant, entity, filter ?? {}, orderBy ?? 'created_at_asc'];
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 12);
}

const cursorOf = (list: string, { createdAt, id }: Place) =>
  Buffer.from(JSON.stringify([list, createdAt.getTime(), id])).toString('base64url');

/** The contents of a cursor. */
type Place = Pick<Listed, 'id' | 'createdAt'>;

function placeOf(list: string, argument: string, cursor: string): Place {
  const [of, createdAt, id] = partsOf(cursor);
  if (of === list && isInstant(createdAt) && typeof id === 'string' && !id.includes('\0')) {
    return { createdAt: new Date(createdAt), id };
  }
  throw invalid(
    'INVALID',
    argument,
    'is not a cursor of this list: use a cursor that this list returned',
  );
}

/** The parts of a cursor; none of a text that is no JSON array. */
function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
