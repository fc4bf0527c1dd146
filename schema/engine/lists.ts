import type { EntityClass } from '@mikro-orm/core';
import type { OpenArchive } from '#domain/kernel/lists/archive.ts';
import {
  byCreation,
  type Listed,
  type SortColumn,
  type SortColumns,
} from '#domain/kernel/lists/order.ts';
import { page } from '#domain/kernel/lists/page.ts';
import { type SearchedTable, searchInput, searchOf } from '#domain/kernel/lists/search.ts';
import type { PageInput } from '#domain/kernel/lists/slice.ts';
import { allOf, type Condition } from '#domain/kernel/lists/where.ts';
import type { Session } from '#domain/kernel/session.ts';
import { countBeforeList } from './accepted-usage.ts';
import { builder } from './builder.ts';
import { typeOf } from './load.ts';
import { custom, recordFields, type Where, type WhereField, whereOf } from './where.ts';

/** A sort column of a list, with its name in descriptions, for example `due date`. */
interface ListedColumn extends SortColumn {
  readonly words: string;
}

/** The conditions and orders of a list. */
export interface ListOptions {
  /** In words, for the descriptions, for example `usage meter`. */
  noun: string;
  /** Its plural, where that is not the noun with an s. */
  plural?: string;
  /** The text search, and which texts it reads. */
  search?: { readonly table: SearchedTable; readonly description: string };
  /** The fields of `where` besides `id` and `createdAt`. */
  where?: Readonly<Record<string, WhereField>>;
  /** The records that lists omit, unless `where` has a field of that name. */
  usualFilter?: Readonly<Record<string, unknown>>;
  /** The sort columns besides the creation, by their name in the order enum. */
  orders?: Readonly<Record<string, ListedColumn>>;
  positionSql?: string;
  /** Opens the rows that are no longer in the table; only for lists whose one order is that of creation. */
  openArchive?: OpenArchive;
  /** The argument of the root list that names the object above its records. */
  parent?: ListParent;
}

/** The arguments of a list besides those of its pages. */
export interface ListInput
  extends Omit<PageInput, 'filter' | 'condition' | 'sortColumns' | 'positionSql' | 'openArchive'> {}

interface List extends ListOptions {
  readonly whereArgument: Where;
  readonly order: unknown;
  /** The type of its pages, at the root and below objects. */
  readonly connection: unknown;
}

const lists = new Map<unknown, List>();

/** Declares what a list of these records can be asked, wherever it is: at the root or below an object. */
function declareList(entity: EntityClass<object>, name: string, options: ListOptions) {
  const { noun, plural = `${noun}s`, search, where, orders = {} } = options;
  const searchField = search && custom.search(search.description, searchOf(search.table));
  lists.set(entity, {
    ...options,
    whereArgument: whereOf(name, plural, {
      ...recordFields,
      ...where,
      ...(searchField && { search: searchField }),
    }),
    order: orderEnum(name, plural, orders),
    connection: builder.connectionObject(
      { type: typeOf(entity), name: `${name}Connection`, description: `A page of ${plural}.` },
      { name: `${name}Edge`, description: `A ${noun} and its cursor.` },
    ),
  });
}

/** The type of the pages of these records, for `t.connection`, whose generics need the entity itself. */
export const connectionOf = (entity: EntityClass<object>): never =>
  listOf(entity).connection as never;

function listOf(entity: EntityClass<object>): List {
  const list = lists.get(entity);
  if (!list) throw new Error(`There is no list of ${entity.name}`);
  return list;
}

const words = {
  time: ['the earliest first', 'the latest first'],
  integer: ['the smallest first', 'the largest first'],
  decimal: ['the smallest first', 'the largest first'],
  text: ['from A to Z', 'from Z to A'],
} as const;

function orderEnum(name: string, plural: string, columns: Readonly<Record<string, ListedColumn>>) {
  const values = Object.entries(columns).flatMap(([column, { kind, nullable, words: name }]) =>
    (['asc', 'desc'] as const).map((direction, index) => {
      const isFirst = (kind === 'text') === (direction === 'asc');
      const without = nullable ? ` Records without a value are ${isFirst ? 'first' : 'last'}.` : '';
      const description = `By ${name}, ${words[kind][index]}.${without}`;
      return [`${column}_${direction}`, { value: `${column}_${direction}`, description }] as const;
    }),
  );
  return builder.enumType(`${name}Order`, {
    description: `The order of ${plural}. Records of equal value follow the order of their creation. The default is \`created_at_asc\`.`,
    values: {
      created_at_asc: { value: 'created_at_asc', description: 'The oldest records are first.' },
      created_at_desc: { value: 'created_at_desc', description: 'The newest records are first.' },
      ...Object.fromEntries(values),
    },
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the builder of arguments, of a query field or of an object's field
type ArgumentBuilder = { arg: any };

/** The arguments `where` and `orderBy` of a list of these records, for a connection below an object. */
export const listArguments = (t: ArgumentBuilder, entity: EntityClass<object>) => ({
  where: t.arg({
    type: listOf(entity).whereArgument.type,
    description: 'Returns only records that match all of these.',
  }),
  orderBy: t.arg({
    type: listOf(entity).order,
    description: 'The order; `created_at_asc` when absent.',
  }),
});

/**
 * Turns the arguments of a list of these records into the input of `page`. `own` is the condition of the list itself, such
 * as its parent. Errors: BAD_REQUEST for conditions out of range.
 */
export function pageInputOf(
  session: Session,
  entity: EntityClass<object>,
  args: ListInput,
  own?: Condition,
): PageInput {
  const list = listOf(entity);
  const { whereArgument, usualFilter, search, orders, positionSql, openArchive } = list;
  const where = nonNull(args.where);
  const usual = Object.entries(usualFilter ?? {}).filter(([field]) => !(field in where));
  const filter = given(Object.fromEntries(usual));
  const { search: text, ...others } = where;
  const rest = allOf([own, filter, whereArgument.conditionOf(others, session)]);
  const condition = allOf([rest, whereArgument.conditionOf({ search: text }, session)]);
  const found = search && searchInput(search.table, text, rest);
  const sortColumns: SortColumns = { ...byCreation, ...orders };
  return {
    ...args,
    filter,
    where: given({ ...where, ...own }),
    condition,
    sortColumns,
    positionSql,
    openArchive,
    search: found,
  };
}

/** The part of the conditions of a list that time alone changes; undefined where there is none. */
export const timedConditionOf = (entity: EntityClass<object>, where: object | null | undefined) =>
  listOf(entity).whereArgument.timedOf(where);

/** An object to which a list of the root may be restricted by an argument of its own. */
interface ListParent {
  /** The name of the argument, for example `webhookId`. */
  readonly argument: string;
  readonly description: string;
  /** Errors: NOT_FOUND. */
  readonly conditionOf: (id: string, session: Session) => Promise<Condition>;
}

const parentArgument = (t: ArgumentBuilder, parent: ListParent | undefined) =>
  parent ? { [parent.argument]: t.arg.id({ description: parent.description }) } : {};

interface RootList<T> extends ListOptions {
  /** The list's name, for example `usageMeters`. */
  many: string;
  /** The type's name, for example `UsageMeter`. */
  name: string;
  entity: EntityClass<T>;
  description?: string;
  /** Who may read it, where that is more than a secret key. */
  access?: object;
  /** Runs before a page is read. */
  before?: (session: Session) => Promise<void>;
}

/** Declares what a list can be asked, and adds it to the root. */
export function listField<T extends Listed>(list: RootList<T>) {
  const { many, name, entity, description, access, before, ...options } = list;
  const { parent } = options;
  const { plural = `${options.noun}s` } = options;
  declareList(entity as EntityClass<object>, name, options);
  builder.queryField(many, (t) =>
    t.connection(
      {
        ...access,
        type: typeOf(entity as EntityClass<object>),
        description:
          description ??
          `The ${plural}, oldest first. Errors: BAD_REQUEST for an invalid size or cursor.`,
        args: { ...parentArgument(t, parent), ...listArguments(t, entity) },
        resolve: async (_root, args, session) => {
          await before?.(session);
          await countBeforeList(session, entity as EntityClass<object>);
          const id = parent && (args as Record<string, string | null | undefined>)[parent.argument];
          const own = id == null ? undefined : await parent?.conditionOf(id, session);
          const input = pageInputOf(session, entity, args as ListInput, own);
          return page(session, entity, input);
        },
      },
      connectionOf(entity as EntityClass<object>),
    ),
  );
}

function given(filter: object) {
  return Reflect.ownKeys(filter).length > 0 ? filter : undefined;
}

/** A field that is null filters nothing. */
const nonNull = (filter: object | null | undefined) =>
  Object.fromEntries(Object.entries(filter ?? {}).filter(([, value]) => value != null));
