import { type Order, orderSql, type Sql } from './order.ts';
import type { Session } from './session.ts';
import { allOf, type Condition, type ConditionOf, checkedText, sqlCondition } from './where.ts';

/** The texts that a search reads, as SQL: in lower case, each in a line of its own. */
const linesOf = (columns: readonly string[]) => `lower(${columns.join(` || E'\\n' || `)})`;

/** The texts that a search reads, by table. Indexes have the same expressions. */
const texts = {
  customer: (row: string) =>
    linesOf([`${row}name`, `${row}email`, `coalesce(${row}domain, '')`, `${row}external_id`]),
  invoice: (row: string) => `lower(${row}invoice_number)`,
  product: (row: string) =>
    linesOf([`${row}name`, `${row}slug`, `coalesce(${row}description, '')`]),
} as const;

export type SearchedTable = keyof typeof texts;

/** The index in which a search finds its rows, as SQL. */
export const gramsOf = (table: SearchedTable, row = '') =>
  `search_grams(${row}pricing_model_id, ${texts[table](row)})`;

/** Whether the texts of a row contain a part, as SQL with the part as its parameter. No character is a wildcard. */
const containsSql = (table: SearchedTable, row: string) =>
  `strpos(${texts[table](row)}, lower(?)) > 0`;

/** Tables without an index: organizations have few of their rows. */
const small: readonly SearchedTable[] = ['product'];

/** Rows of a table whose texts contain a part, whatever its case. An empty part restricts nothing. */
export const searchOf =
  (table: SearchedTable): ConditionOf<string> =>
  (text, path, { pricingModelId }) => {
    const part = checkedText(text, path).trim();
    if (part === '') return {};
    const contains = sqlCondition((alias) => containsSql(table, `${alias}.`), [part]);
    if (small.includes(table)) return contains;
    const grams = sqlCondition(
      (alias) => `${gramsOf(table, `${alias}.`)} @@ search_query(?, lower(?))`,
      [pricingModelId, part],
    );
    return allOf([grams, contains]) ?? {};
  };

/** A search as a page needs it besides its condition. */
export interface SearchInput {
  readonly table: SearchedTable;
  readonly part: string;
  /** The condition of the list without the search. */
  readonly rest: Condition | undefined;
}

/** The search of a list for a page; undefined where its condition is enough. */
export function searchInput(
  table: SearchedTable,
  text: string | null | undefined,
  rest: Condition | undefined,
): SearchInput | undefined {
  const part = text?.trim() ?? '';
  return part === '' || small.includes(table) ? undefined : { table, part, rest };
}

/** How many rows a search reads in the order of the list before it uses the index of parts. */
const earlyRows = 2_000;
/** How many of these it uses; other conditions may refuse some. */
const earlyHits = 200;

/** The rows with the part among the first ones in an order. `start` is SQL for the alias `early`. */
export function amongFirst(
  { pricingModelId }: Session,
  { table, part }: SearchInput,
  order: Order,
  start: Sql | undefined,
): Condition {
  const ordered = (alias: string) => `order by ${orderSql(order, alias)}`;
  const early = `select early.* from "${table}" early where early.pricing_model_id = ?
    ${start ? `and ${start.sql}` : ''} ${ordered('early')} limit ${earlyRows}`;
  return sqlCondition(
    (
      alias,
    ) => `${alias}.id in (select hit.id from (${early}) hit where ${containsSql(table, 'hit.')}
      ${ordered('hit')} limit ${earlyHits})`,
    [pricingModelId, ...(start?.parameters ?? []), part],
  );
}
