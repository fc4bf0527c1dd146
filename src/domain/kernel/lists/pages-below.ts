import {
  type EntityClass,
  type EntityData,
  type FilterQuery,
  type QueryOrderMap,
  raw,
} from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { countWithArchived, mergeArchived } from './archive.ts';
import type { Listed } from './order.ts';
import { type Page, page, pageFrom } from './page.ts';
import { conditionOfSlice, type PageInput, readingOrderOf, sliceOf } from './slice.ts';
import { allOf } from './where.ts';

/** The property of a listed row with the id of its parent, and the column of that property. */
export interface ParentColumn {
  readonly property: string;
  readonly column: string;
}

/** The page of one parent. It is a condition of the list, so a cursor belongs to the parent. */
export const pageBelow = <T extends Listed>(
  session: Session,
  entity: EntityClass<T>,
  { property }: ParentColumn,
  parent: string,
  input: PageInput,
): Promise<Page<T>> => {
  const { filter, condition = filter } = input;
  const below = allOf([{ [property]: parent }, condition ?? undefined]);
  return page(session, entity, { ...ofParent(input, property, parent), condition: below });
};

/**
 * The first or last page of each of several parents, all in one statement. The database reads only the rows of the
 * pages, by the index of each parent. Their totals are counted together, too. Errors: BAD_REQUEST for a size outside
 * 1–100.
 */
export async function pagesBelow<T extends Listed>(
  session: Session,
  entity: EntityClass<T>,
  parent: ParentColumn,
  parents: readonly string[],
  input: PageInput,
): Promise<Map<string, Page<T>>> {
  const slices = new Map(
    parents.map((id) => [id, sliceOf(session, entity, ofParent(input, parent.property, id))]),
  );
  const [slice] = slices.values();
  if (!slice) return new Map();
  const rows = await rowsBelow<T>(session, entity, parent, parents, {
    condition: conditionOfSlice(session, entity, slice) as object,
    orderBy: readingOrderOf(slice),
    limit: slice.size + 1,
  });
  const archive = await input.openArchive?.(session);
  let totals: Promise<Map<string, number>> | undefined;
  const { filter, condition = filter } = input;
  const totalOf = async (id: string) => {
    totals ??= countsBelow(session, entity, parent, parents, condition ?? {});
    return (await totals).get(id) ?? 0;
  };
  const pages = new Map<string, Page<T>>();
  for (const [id, slice] of slices) {
    const own = rows.get(id) ?? [];
    if (!archive) {
      pages.set(
        id,
        pageFrom(slice, own, () => totalOf(id)),
      );
      continue;
    }
    const count = async () =>
      (await countsBelow(session, entity, parent, [id], condition ?? {})).get(id) ?? 0;
    const all = await mergeArchived(slice, own, archive);
    pages.set(
      id,
      pageFrom(slice, all, () => countWithArchived(session, slice.input, count)),
    );
  }
  return pages;
}

interface Reading {
  readonly condition: object;
  readonly orderBy: unknown;
  /** The largest number of rows of one parent. */
  readonly limit: number;
}

/** The first rows of each of several parents in an order, in one statement. */
export async function rowsBelow<T extends object>(
  session: Session,
  entity: EntityClass<T>,
  { column }: ParentColumn,
  parents: readonly string[],
  { condition, orderBy, limit }: Reading,
): Promise<Map<string, T[]>> {
  const query = await queryBelow(session, entity, column, condition);
  const { sql, params } = query
    .select('*')
    .orderBy(orderBy as QueryOrderMap<T>)
    .limit(limit)
    .toQuery();
  const found = await session.em.execute<{ parent_id: string }[]>(
    lateral('parent.id as parent_id, below.*', sql, parents),
    [...parents, ...params],
  );
  const rows = new Map<string, T[]>();
  for (const { parent_id: id, ...row } of found) {
    const own = rows.get(id) ?? [];
    own.push(merged(session, entity, row));
    rows.set(id, own);
  }
  return rows;
}

/** The entity of a row. Cascading would visit, for each row, all rows that its parent has so far. */
function merged<T extends object>({ em }: Session, entity: EntityClass<T>, row: object): T {
  const data = em.getDriver().mapResult(row, em.getMetadata(entity)) as EntityData<T>;
  const options = { convertCustomTypes: true, refresh: true, validate: false, cascade: false };
  return em.merge(entity, data, options) as T;
}

/** The numbers of rows of several parents that satisfy a condition, in one statement. */
export async function countsBelow(
  session: Session,
  entity: EntityClass<object>,
  { column }: ParentColumn,
  parents: readonly string[],
  condition: object,
) {
  const query = await queryBelow(session, entity, column, condition);
  const { sql, params } = query.select(raw('count(*) as total')).toQuery();
  const found = await session.em.execute<{ id: string; total: string }[]>(
    lateral('parent.id, below.total', sql, parents),
    [...parents, ...params],
  );
  return new Map(found.map(({ id, total }) => [id, Number(total)]));
}

/** The visible rows of the parent of a lateral join that satisfy a condition. */
async function queryBelow(
  { em }: Session,
  entity: EntityClass<object>,
  column: string,
  condition: object,
) {
  const query = em.createQueryBuilder(entity, 'row');
  query.where({ [raw('"row".?? = parent.id', [column]) as unknown as string]: [] });
  query.andWhere(condition as FilterQuery<object>);
  await query.applyFilters();
  return query;
}

const lateral = (selected: string, sql: string, parents: readonly string[]) =>
  `select ${selected} from (values ${parents.map(() => '(?::text)').join(', ')}) as parent (id)
     cross join lateral (${sql}) as below`;

const ofParent = (input: PageInput, property: string, id: string): PageInput => ({
  ...input,
  where: { ...input.where, [property]: id },
});
