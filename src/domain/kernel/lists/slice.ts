import type { EntityClass, FilterQuery } from '@mikro-orm/core';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { OpenArchive } from './archive.ts';
import { fingerprintOf, placeOf } from './cursor.ts';
import {
  byCreation,
  type Listed,
  type Order,
  orderByOf,
  orderNamed,
  type Place,
  type PositionSql,
  pastSql,
  reversed,
  type SortColumns,
  type Sql,
} from './order.ts';
import type { SearchInput } from './search.ts';
import { allOf, sqlCondition } from './where.ts';

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
  /** Opens the rows of the list that are no longer in its table; they need the order of creation. */
  openArchive?: OpenArchive | undefined;
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
  /** The places of its cursors. */
  readonly places: Cursors<Place>;
  /** The positions of the rows there, where they have been looked up. */
  readonly positions?: Cursors<number>;
  readonly input: PageInput;
}

type Cursors<T> = { readonly [argument in 'after' | 'before']?: T };

/** The slice that a request wants. Errors: BAD_REQUEST for a size outside 1–100. */
export function sliceOf(session: Session, entity: EntityClass<object>, input: PageInput): Slice {
  const { first, last, before, filter, where, orderBy, sortColumns = byCreation } = input;
  if (first != null && last != null)
    throw invalid('NOT_ALLOWED', 'last', 'cannot be combined with first: give one of the two');
  const backward = last != null || (before != null && first == null);
  const size = pageSize(backward ? 'last' : 'first', backward ? last : first);
  const identity = [entity.name, filter ?? {}, where ?? {}, orderBy ?? 'created_at_asc'];
  const list = fingerprintOf(session, identity);
  const order = orderNamed(sortColumns, orderBy);
  const placed = (argument: 'after' | 'before') => {
    const cursor = input[argument];
    return cursor == null ? {} : { [argument]: placeOf(list, order, argument, cursor) };
  };
  const places = { ...placed('after'), ...placed('before') };
  return { size, backward, order, list, places, input };
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
export function pastCursor(
  session: Session,
  entity: EntityClass<object>,
  { order, places, positions, input }: Slice,
  argument: 'after' | 'before',
) {
  const place = places[argument];
  if (!place) return undefined;
  const direction = argument === 'after' ? order : reversed(order);
  const known = positions?.[argument];
  const position: PositionSql =
    known === undefined
      ? positionSqlOf(session, entity, input.positionSql)
      : () => ({ sql: 'select ?::bigint', parameters: [known] });
  return (alias: string) => pastSql(direction, alias, place, position);
}

const fragment = (sqlOf: (alias: string) => Sql) =>
  sqlCondition((alias) => sqlOf(alias).sql, sqlOf('').parameters);

/** The order in which the rows of a slice are read: from its cursor away. */
export const readingOrderOf = ({ order, backward }: Slice, fewRows = false) =>
  orderByOf(backward ? reversed(order) : order, fewRows);

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
  const within = (sql: string, tenant: string) => (id: string) => ({
    sql,
    parameters: [id, tenant],
  });
  if ('pricingModelId' in properties) return within(sql ?? of('pricing_model_id'), pricingModelId);
  if ('organizationId' in properties) return within(of('organization_id'), organizationId);
  return within(of("''"), '');
}
