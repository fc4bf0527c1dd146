import type { Session } from '#domain/kernel/session.ts';
import { type Order, orderSql, type Sql, sortedColumns } from './order.ts';
import { allOf, type Condition, type ConditionOf, checkedText, sqlCondition } from './where.ts';

/** The texts that a search reads, as SQL: in lower case, each in a line of its own. */
const linesOf = (columns: readonly string[]) => `lower(${columns.join(` || E'\\n' || `)})`;

/** The texts that a search reads, by table. Indexes have the same expressions. */
const texts = {
  customer: (row: string) =>
    linesOf([`${row}name`, `${row}email`, `coalesce(${row}domain, '')`, `${row}external_id`]),
  credit_note: (row: string) => `lower(${row}credit_note_number)`,
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
    const contains = containing(table, part);
    return small.includes(table)
      ? contains
      : (allOf([...gramConditions(table, pricingModelId, [part]), contains]) ?? {});
  };

const containing = (table: SearchedTable, part: string) =>
  sqlCondition((alias) => containsSql(table, `${alias}.`), [part]);

/** Rows with these parts in the index, and maybe a few others. */
const gramConditions = (table: SearchedTable, pricingModelId: string, parts: readonly string[]) =>
  parts.map((part) =>
    sqlCondition(
      (alias) => `${gramsOf(table, `${alias}.`)} @@ search_query(?, lower(?))`,
      [pricingModelId, part],
    ),
  );

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

/** Up to this number of matches the index finds all, to be sorted. It reads about 500 of them in a millisecond. */
const fewMatches = 5_000;
/** The parts of a search whose frequency is estimated. */
const mostGrams = 8;
/** How many rows a search reads in the order of the list, before it uses the index of parts. */
const earlyRows = { frequent: 50_000, unknown: 5_000, rare: 0 } as const;

/** A part that no text has: its estimate is the least that the planner assumes for any part. */
const unknown = '\u0002';
/** By how much an estimate must exceed that to be more than an assumption. */
const clearly = 1.25;
/** The parts of a search that the index is asked for: the others are not rarer, and each one costs time. */
const askedGrams = 2;

/** How a search finds its rows. */
export interface SearchPlan {
  /** How many of the first rows in the order of the list are read for matches; 0 for a part that is too rare. */
  readonly earlyRows: number;
  /** The condition that the index of parts serves. */
  readonly indexed: Condition | undefined;
}

/**
 * Decides how a search finds its rows. The planner's statistics know the frequency of each 3 characters; the part is
 * at most as frequent as the rarest of them. For 1 or 2 characters the planner estimates 2 % at least.
 */
export async function planSearch(
  { em, pricingModelId }: Session,
  { table, part, rest }: SearchInput,
): Promise<SearchPlan> {
  const indexedBy = (grams: readonly string[]) =>
    allOf([rest, ...gramConditions(table, pricingModelId, grams), containing(table, part)]);
  const characters = [...part];
  if (characters.length < 3) {
    const [own = 0, none = 0] = await estimates(em, table, pricingModelId, [part, unknown]);
    const isFrequent = own > none * clearly;
    const rows = isFrequent ? earlyRows.frequent : earlyRows.unknown;
    return { earlyRows: rows, indexed: indexedBy([part]) };
  }
  const count = Math.min(characters.length - 2, mostGrams);
  const grams = Array.from({ length: count }, (_, place) =>
    characters.slice(place, place + 3).join(''),
  );
  const [none = 0, ...matches] = await estimates(em, table, pricingModelId, [
    unknown.repeat(3),
    ...grams,
  ]);
  const rarest = grams
    .map((gram, place) => ({ gram, rows: matches[place] ?? 0 }))
    .toSorted((a, b) => a.rows - b.rows);
  return {
    earlyRows:
      Math.min(...matches) > Math.max(fewMatches, none * clearly)
        ? earlyRows.frequent
        : earlyRows.rare,
    indexed: indexedBy(rarest.slice(0, askedGrams).map(({ gram }) => gram)),
  };
}

/** The planner's estimates of how many rows have each of these parts. */
async function estimates(
  em: Session['em'],
  table: SearchedTable,
  pricingModelId: string,
  parts: readonly string[],
): Promise<number[]> {
  // With a limit each part has a plan of its own, which shows all its rows: without one they share parallel workers.
  const matches = `(select from "${table}" where ${gramsOf(table)} @@ search_query(?, lower(?)) limit 2147483647)`;
  const [row] = await em.execute<[{ 'QUERY PLAN': [{ Plan: EstimatedPlan }] }]>(
    `explain (format json) ${parts.map(() => matches).join(' union all ')}`,
    parts.flatMap((part) => [pricingModelId, part]),
  );
  const [{ Plan: plan }] = row['QUERY PLAN'];
  return (parts.length === 1 ? [plan] : (plan.Plans ?? [])).map((plan) => plan['Plan Rows']);
}

interface EstimatedPlan {
  readonly 'Plan Rows': number;
  readonly Plans?: readonly EstimatedPlan[];
}

/** How many matches it uses for each row of the page, since other conditions may refuse some. */
const hitsEach = 4;

/** Where a search of the first rows in an order begins and ends. `start` is SQL for the alias `early`. */
interface Early {
  readonly order: Order;
  readonly start: Sql | undefined;
  readonly rows: number;
  /** The size of the page. */
  readonly size: number;
}

/** The first matches among the first rows in an order. */
export function amongFirst(
  { pricingModelId }: Session,
  { table, part }: SearchInput,
  { order, start, rows, size }: Early,
): Condition {
  const direction = order.descending ? 'desc' : 'asc';
  const columns = sortedColumns(order, 'early');
  const names = columns.map((_, index) => `early_${index}`);
  const values = columns.map((sql, index) => `${sql} as ${names[index]}`).join(', ');
  const early = `select early.*, ${values} from "${table}" early
    where early.pricing_model_id = ? ${start ? `and ${start.sql}` : ''}
    order by ${orderSql(order, 'early')} limit ${rows}`;
  return sqlCondition(
    (
      alias,
    ) => `${alias}.id in (select hit.id from (${early}) hit where ${containsSql(table, 'hit.')}
      order by ${names.map((name) => `hit.${name} ${direction}`).join(', ')}
      limit ${(size + 1) * hitsEach})`,
    [pricingModelId, ...(start?.parameters ?? []), part],
  );
}
