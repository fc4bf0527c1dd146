import { type QueryOrderMap, raw } from '@mikro-orm/core';

/** The columns of every listed row that determine its place in the order. */
export interface Listed {
  id: string;
  createdAt: Date;
  /** Never in a cursor, unlike `id` and `createdAt`, since it counts the rows of all tenants. */
  position: number;
}

/** The type of a sort column: it determines the SQL of the order and the value in a cursor. */
type Kind = 'time' | 'integer' | 'decimal' | 'text';

/** A column by which a list is sorted. */
export interface SortColumn {
  /** The property of the entity, whose value a cursor contains. */
  readonly property: string;
  readonly kind: Kind;
  /** Whether the column may be null. Null is after every time and number, and before every text. */
  readonly nullable?: boolean;
  /** Whether rows are sorted by their currency first, since amounts of two currencies have no order. */
  readonly inCurrency?: boolean;
}

/** The sort columns of a list, by their name in its order enum without `_asc` and `_desc`. */
export type SortColumns = Readonly<Record<string, SortColumn>>;

const creation: SortColumn = { property: 'createdAt', kind: 'time' };

/** The sort columns of every list. */
export const byCreation: SortColumns = { created_at: creation };

/** An order of a list: a column with a direction. Rows of equal value follow the order of their writing. */
export interface Order {
  readonly column: SortColumn;
  readonly descending: boolean;
}

/** The order with this name, such as `due_date_desc`; by creation, oldest first, when absent. */
export function orderNamed(
  columns: SortColumns,
  name: string | null | undefined = 'created_at_asc',
): Order {
  const [, column = '', direction] = /^(\w+)_(asc|desc)$/.exec(name ?? 'created_at_asc') ?? [];
  const found = { ...byCreation, ...columns }[column];
  if (!found) throw new Error(`The list has no order ${name}`);
  return { column: found, descending: direction === 'desc' };
}

/** The order of creation, the newest first, as the ORM takes it. */
export const newestFirst = { createdAt: 'desc', position: 'desc', id: 'desc' } as const;

/** The opposite order. */
export const reversed = ({ column, descending }: Order): Order => ({
  column,
  descending: !descending,
});

/** The name of a property's column. */
const columnOf = (property: string) =>
  property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const casts = {
  time: '::timestamptz',
  integer: '::bigint',
  decimal: '::numeric',
  text: '::text',
} as const;
const nulls = {
  time: `'infinity'`,
  integer: '9223372036854775807',
  decimal: `'Infinity'`,
  text: `''`,
} as const;

/** The sorted value as SQL, of a column or of a parameter. Indexes of the migrations have the same expressions. */
function sortedSql({ kind, nullable }: SortColumn, value: string): string {
  const present = nullable ? `coalesce(${value}, ${nulls[kind]})` : value;
  return kind === 'text' ? `lower(${present})` : present;
}

/** Leaves a value as it is, as an expression that no index has. */
const unindexed = {
  time: (value: string) => `${value} + interval '0'`,
  integer: (value: string) => `${value} + 0`,
  decimal: (value: string) => `${value} + 0`,
  text: (value: string) => `${value} || ''`,
} as const;

/** The order as the ORM takes it. Rows that are few can be found first, and sorted without the index of the order. */
export function orderByOf(order: Order, fewRows = false): QueryOrderMap<Listed>[] {
  const { column, descending } = order;
  const direction = descending ? 'desc' : 'asc';
  const wrap = fewRows ? unindexed[column.kind] : (value: string) => value;
  const by = (sql: (alias: string) => string) => ({
    [raw((alias) => sql(alias)) as unknown as string]: direction,
  });
  const first =
    column === creation && !fewRows
      ? { createdAt: direction }
      : by((alias) => wrap(valueSql(order, alias)));
  const last = [{ position: direction }, { id: direction }] as const;
  return column.inCurrency ? [by(currencySql), first, ...last] : [first, ...last];
}

/** The place of a row in an order, which a cursor contains. */
export interface Place {
  readonly value: string | number | null;
  readonly id: string;
  /** The currency of the row, in an order of amounts. */
  readonly currency?: string;
}

/** The value of a row in an order, for a cursor. */
export function placeIn({ column }: Order, row: Listed): Place {
  const value: unknown = row[column.property as keyof Listed];
  const plain = value instanceof Date ? value.getTime() : value;
  const place = { value: (plain ?? null) as Place['value'], id: row.id };
  if (!column.inCurrency) return place;
  return { ...place, currency: (row as { currency?: string | null }).currency ?? '' };
}

/** SQL for the position of a row, with its parameters. */
export type PositionSql = (id: string) => Sql;

/** A fragment of SQL with its parameters. */
export interface Sql {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The sorted value of a row, as SQL. */
const valueSql = ({ column }: Order, alias: string) =>
  sortedSql(column, `${alias}.${columnOf(column.property)}`);

/** The currency of a row of which amounts are sorted; the empty text for none. */
const currencySql = (alias: string) => `coalesce(${alias}.currency, '')`;

/** The sorted columns of a row as SQL, in their order. */
export const sortedColumns = (order: Order, alias: string): readonly string[] => [
  ...(order.column.inCurrency ? [currencySql(alias)] : []),
  valueSql(order, alias),
  `${alias}.position`,
  `${alias}.id`,
];

/** The order as SQL. */
export function orderSql(order: Order, alias: string): string {
  const direction = order.descending ? 'desc' : 'asc';
  return sortedColumns(order, alias)
    .map((value) => `${value} ${direction}`)
    .join(', ');
}

/**
 * Rows strictly past a place, as one comparison that an index serves. The position of the cursor's row is looked
 * up, so that no cursor shows it. Without the row, rows of its value are repeated rather than left out.
 */
export function pastSql(
  order: Order,
  alias: string,
  { value, id, currency }: Place,
  position: PositionSql,
): Sql {
  const { column, descending } = order;
  const [sign, unknown] = descending ? ['<', '9223372036854775807'] : ['>', '0'];
  const given = column.kind === 'time' && typeof value === 'number' ? new Date(value) : value;
  const place = sortedSql(column, `?${casts[column.kind]}`);
  const { sql, parameters } = position(id);
  return {
    sql: `(${sortedColumns(order, alias).join(', ')}) ${sign} (${column.inCurrency ? '?::text, ' : ''}${place}, coalesce((${sql}), ${unknown}), ?)`,
    parameters: [...(column.inCurrency ? [currency] : []), given, ...parameters, id],
  };
}
