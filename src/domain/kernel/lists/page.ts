import type { EntityClass } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { countWithArchived, withArchived } from './archive.ts';
import { cursorOf } from './cursor.ts';
import { byCreation, type Listed, orderByOf, orderNamed, placeIn, reversed } from './order.ts';
import { countRows } from './row-count.ts';
import { amongFirst, planSearch } from './search.ts';
import {
  conditionOfSlice,
  type PageInput,
  pastCursor,
  readingOrderOf,
  type Slice,
  sliceOf,
} from './slice.ts';
import { allOf, type Condition } from './where.ts';

export interface Page<T> {
  readonly edges: readonly { readonly cursor: string; readonly node: T }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  /** Exact number of rows in the whole list; computed only when called. */
  readonly totalCount: () => Promise<number>;
}

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
  return {
    edges,
    pageInfo: {
      hasNextPage: backward ? before != null : hasMore,
      hasPreviousPage: backward ? hasMore : after != null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
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
  const read = (slice: Slice) =>
    (input.search ? searchRows : readRows)(session, entity, slice) as Promise<Listed[]>;
  const rows = await (input.openArchive ? withArchived(session, slice, read) : read(slice));
  const { filter, condition = filter } = input;
  const count = () => countRows(session, entity, condition);
  return pageFrom(slice, rows as T[], () =>
    input.openArchive ? countWithArchived(session, input, count) : count(),
  );
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
    disableIdentityMap: true,
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
