import { createHash } from 'node:crypto';
import type { EntityClass, FilterQuery, QueryOrderMap } from '@mikro-orm/core';
import { invalid } from './errors.ts';
import { isInstant } from './inputs.ts';
import { countRows } from './row-count.ts';
import type { Session } from './session.ts';

/** Lists go by creation, ties by id; the oldest first unless asked otherwise (reference §2.2). */
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
  /** What the filter asks of the table at this instant, where it asks for more than equal columns. */
  condition?: object | null | undefined;
  orderBy?: ListOrder | null | undefined;
}

/** What every listed row has: its place in the order. */
export interface Listed {
  id: string;
  createdAt: Date;
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
  { first, after, last, before, filter, condition = filter, orderBy }: PageInput,
): Promise<Page<T>> {
  if (first != null && last != null)
    throw invalid('last', 'goes without first: give one of the two');
  const backward = last != null || (before != null && first == null);
  const size = pageSize(backward ? 'last' : 'first', backward ? last : first);
  const list = fingerprint(session, entity.name, filter, orderBy);
  const descending = (orderBy === 'created_at_desc') !== backward;

  const rows = await session.em.find<Listed>(
    entity as EntityClass<Listed>,
    {
      $and: [
        (condition ?? {}) as FilterQuery<Listed>,
        beyond(list, 'after', after, orderBy === 'created_at_desc'),
        beyond(list, 'before', before, orderBy !== 'created_at_desc'),
      ],
    },
    { orderBy: place(descending), limit: size + 1 },
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
    throw invalid(argument, `must be from 1 to ${maximalPageSize}`);
  }
  return size;
}

const place = (descending: boolean): QueryOrderMap<Listed> =>
  descending ? { createdAt: 'desc', id: 'desc' } : { createdAt: 'asc', id: 'asc' };

/** Rows strictly past a cursor. The first condition is the one an index serves; the second breaks ties. */
function beyond(
  list: string,
  argument: string,
  cursor: string | null | undefined,
  descending: boolean,
): FilterQuery<Listed> {
  if (cursor == null) return {};
  const { createdAt, id } = placeOf(list, argument, cursor);
  return descending
    ? {
        createdAt: { $lte: createdAt },
        $or: [{ createdAt: { $lt: createdAt } }, { id: { $lt: id } }],
      }
    : {
        createdAt: { $gte: createdAt },
        $or: [{ createdAt: { $gt: createdAt } }, { id: { $gt: id } }],
      };
}

/** Ties a cursor to the list it was made for: the tenant, the entity, the filter and the order. */
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

const cursorOf = (list: string, { createdAt, id }: Listed) =>
  Buffer.from(JSON.stringify([list, createdAt.getTime(), id])).toString('base64url');

function placeOf(list: string, argument: string, cursor: string): Listed {
  try {
    const [of, createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (of === list && isInstant(createdAt) && typeof id === 'string' && !id.includes('\0')) {
      return { createdAt: new Date(createdAt), id };
    }
  } catch {
    // Falls through to the refusal: what cannot be read is not a cursor of ours.
  }
  throw invalid(argument, 'is not a cursor of this list: use one that the same list has answered');
}
