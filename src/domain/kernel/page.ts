import type { EntityClass, FilterQuery } from '@mikro-orm/core';
import { cursorOf, fingerprintOf, placeOf } from './cursor.ts';
import { invalid } from './errors.ts';
import {
  byCreation,
  type Listed,
  type Order,
  orderByOf,
  orderNamed,
  type PositionSql,
  pastSql,
  placeIn,
  reversed,
  type SortColumns,
  type Sql,
} from './order.ts';
import { countRows } from './row-count.ts';
import { amongFirst, planSearch, type SearchInput } from './search.ts';
import type { Session } from './session.ts';
import { allOf, type Condition, sqlCondition } from './where.ts';

export const defaultPageSize = 10;
export const maximalPageSize = 100;

/** The arguments of every list, as Relay names them. */
export interface PageInput {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: object | null | undefined;
  where?: object | null | undefined;
  /** The condition of filter and where on the table at this instant, where it needs more than equal columns. */
  condition?: object | null | undefined;
  /** A sort column with its direction, such as `created_at_desc`; by creation, oldest first, when absent. */
  orderBy?: string | null | undefined;
  /** The sort columns of the list besides its creation. */
  sortColumns?: SortColumns | undefined;
  /** The search that is part of the condition, where the table has an index for it. */
  search?: SearchInput | undefined;
  /** SQL for the position of a row by its id and pricing model, where the table has no index of ids. */
  positionSql?: string | undefined;
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

/** The part of a list that a request reads: its size, its direction and its cursors. */
export interface Slice {
  readonly size: number;
  /** Whether the page is the last rows before a cursor, not the first rows after it. */
  readonly backward: boolean;
  /** The order of the list. */
  readonly order: Order;
  /** Ties the cursors to the list. */
  readonly list: string;
  readonly input: PageInput;
}

/** The slice that a request wants. Errors: BAD_REQUEST for a size outside 1–100. */
export function sliceOf(session: Session, entity: EntityClass<object>, input: PageInput): Slice {
  const { first, last, before, filter, where, orderBy, sortColumns = byCreation } = input;
  if (first != null && last != null)
    throw invalid('NOT_ALLOWED', 'last', 'cannot be combined with first: give one of the two');
  const backward = last != null || (before != null && first == null);
  const size = pageSize(backward ? 'last' : 'first', backward ? last : first);
  const identity = [entity.name, filter ?? {}, where ?? {}, orderBy ?? 'created_at_asc'];
  const list = fingerprintOf(session, identity);
  return { size, backward, order: orderNamed(sortColumns, orderBy), list, input };
}

/** The condition for the rows of a slice, from the list's condition and the cursors. Errors: BAD_REQUEST. */
export function conditionOfSlice(
  session: Session,
  entity: EntityClass<object>,
  slice: Slice,
): FilterQuery<Listed> {
  const { filter, condition = filter } = slice.input;
  const [after, before] = [
    pastCursor(session, entity, slice, 'after'),
    pastCursor(session, entity, slice, 'before'),
  ];
  return (
    allOf([condition ?? undefined, after && fragment(after), before && fragment(before)]) ?? {}
  );
}

/** The rows past a cursor of the slice, in its direction; undefined without the cursor. Errors: BAD_REQUEST. */
function pastCursor(
  session: Session,
  entity: EntityClass<object>,
  { order, list, input }: Slice,
  argument: 'after' | 'before',
) {
  const cursor = input[argument];
  if (cursor == null) return undefined;
  const place = placeOf(list, order, argument, cursor);
  const direction = argument === 'after' ? order : reversed(order);
  const position = positionSqlOf(session, entity, input.positionSql);
  return (alias: string) => pastSql(direction, alias, place, position);
}

const fragment = (sqlOf: (alias: string) => Sql) =>
  sqlCondition((alias) => sqlOf(alias).sql, sqlOf('').parameters);

/** The order in which the rows of a slice are read: from its cursor away. */
export const readingOrderOf = ({ order, backward }: Slice, fewRows = false) =>
  orderByOf(backward ? reversed(order) : order, fewRows);

/** The page of a slice from its rows in reading order, up to one more than its size. */
export function pageFrom<T extends Listed>(
  { size, backward, order, list, input: { after, before } }: Slice,
  rows: readonly T[],
  totalCount: () => Promise<number>,
): Page<T> {
  const hasMore = rows.length > size;
  const nodes = rows.slice(0, size);
  if (backward) nodes.reverse();

  // Few readers want the cursor of each row, so it is written when it is read.
  const edges = nodes.map((node) => ({
    node,
    get cursor() {
      return cursorOf(list, placeIn(order, node));
    },
  }));
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
    totalCount,
  };
}

/**
 * One page of a list. Costs one statement whatever the depth, since the cursor names a place in the
 * index. Errors: BAD_REQUEST for a size outside 1–100 and for a cursor of another list.
 */
export async function page<T extends Listed>(
  session: Session,
  entity: EntityClass<T>,
  input: PageInput,
): Promise<Page<T>> {
  const slice = sliceOf(session, entity, input);
  const rows = await (input.search ? searchRows : readRows)(session, entity as never, slice);
  const { filter, condition = filter } = input;
  return pageFrom(slice, rows as T[], () => countRows(session, entity, condition));
}

/** The first rows of a list without pages: of all that match the condition, in the order of the list. */
export const firstRows = <T extends Listed>(
  session: Session,
  entity: EntityClass<T>,
  { filter, condition = filter, sortColumns = byCreation, orderBy }: PageInput,
  limit: number,
): Promise<T[]> =>
  session.em.find(entity as EntityClass<Listed>, condition ?? {}, {
    orderBy: orderByOf(orderNamed(sortColumns, orderBy)),
    limit,
  }) as Promise<Listed[]> as Promise<T[]>;

function readRows(
  session: Session,
  entity: EntityClass<Listed>,
  slice: Slice,
  fewRows = false,
): Promise<Listed[]> {
  return session.em.find(entity, conditionOfSlice(session, entity, slice), {
    orderBy: readingOrderOf(slice, fewRows),
    limit: slice.size + 1,
  });
}

/**
 * The rows of a search. Frequent parts are found among the first rows in the order of the list. For others the index
 * of parts finds all rows, which are few, or are far from the start.
 */
async function searchRows(
  session: Session,
  entity: EntityClass<Listed>,
  slice: Slice,
): Promise<Listed[]> {
  const { search } = slice.input;
  if (!search) return readRows(session, entity, slice);
  const { earlyRows: rows, indexed } = await planSearch(session, search);
  const { size, input } = slice;
  const withCondition = (condition: Condition | undefined) =>
    readRows(session, entity, { ...slice, input: { ...input, condition } }, true);
  if (rows > 0) {
    const order = slice.backward ? reversed(slice.order) : slice.order;
    const start = pastCursor(session, entity, slice, slice.backward ? 'before' : 'after');
    const early = amongFirst(session, search, { order, start: start?.('early'), rows, size });
    const found = await withCondition(allOf([search.rest, early]));
    if (found.length > size) return found;
  }
  return withCondition(indexed);
}

function pageSize(argument: string, size: number | null | undefined) {
  if (size == null) return defaultPageSize;
  if (size < 1 || size > maximalPageSize) {
    throw invalid('OUT_OF_RANGE', argument, `must be from 1 to ${maximalPageSize}`);
  }
  return size;
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
