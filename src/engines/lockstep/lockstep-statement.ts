/** A statement as a member of a lockstep issues it: its text with `$1`, `$2` …, and its values. */
export interface Issued {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether the statement works on the rows in its arrays, so that several become one with longer arrays. */
  readonly joins?: boolean | undefined;
}

export interface Result {
  readonly rows: unknown[];
  readonly numAffectedRows?: bigint;
}

/** Executes one statement in the transaction that the members share. */
export type Execute = (sql: string | object, values: readonly unknown[]) => Promise<Result>;

/** A way to execute the same statement of several members as one; it returns a result for each of them. */
export type Together = (execute: Execute, issued: readonly Issued[]) => Promise<Result[]>;

/** The largest number of parameters of a statement; PostgreSQL takes 65,535. */
const mostParameters = 60_000;

const insertion = /^(insert into "\w+" \([^)]*\) values )(.*?)( returning .*)?$/s;
const update = /^update ("\w+") set .* where /s;
const single = / where "id" = \$\d+$/;
const changes = /\b(insert|update|delete|merge)\s+(into|from|"?\w+"? set)\b/i;
const parameter = /\$(\d+)/g;

/** The common part of statements that can be executed as one: their text, or the columns of an insertion. */
export const shapeOf = ({ text, joins }: Issued): string => {
  if (joins) return text;
  const [, head, , tail = ''] = (text.startsWith('insert') && insertion.exec(text)) || [];
  return head && !tail.includes(' on conflict ') ? `${head} ${tail}` : text;
};

/** The way for statements of a shape; null where each is executed by itself, undefined where it is not known yet. */
export function knownWay(shape: string, { text, joins }: Issued): Together | null | undefined {
  if (joins) return joined;
  return shape === text ? ways.get(text) : inserted;
}

/** The same for a shape that is not known yet; `execute` works in a transaction. */
export async function findWay(execute: Execute, { text }: Issued): Promise<Together | null> {
  const way = await typedWay(execute, text);
  if (ways.size >= mostWays) ways.clear();
  ways.set(text, way);
  return way;
}

/** The statements of the program are few; those with lists of different lengths count apiece. */
const mostWays = 1_000;
const ways = new Map<string, Together | null>();

/** Inserts the rows of all members with one list of values. */
const inserted: Together = async (execute, issued) => {
  const results: Result[] = [];
  for (let from = 0; from < issued.length; ) {
    const values: unknown[] = [];
    const lists: string[] = [];
    const counts: number[] = [];
    let ends = '';
    let head = '';
    for (const one of issued.slice(from)) {
      if (values.length + one.values.length > mostParameters && counts.length > 0) break;
      const [, start = '', list = '', end = ''] = insertion.exec(one.text) ?? [];
      const before = values.length;
      [head, ends] = [start, end];
      lists.push(list.replaceAll(parameter, (_, number) => `$${before + Number(number)}`));
      values.push(...one.values);
      counts.push(rowsIn(list));
    }
    const { rows } = await execute(`${head}${lists.join(', ')}${ends}`, values);
    let place = 0;
    for (const count of counts) {
      const own = rows.slice(place, place + count);
      results.push({ rows: own, numAffectedRows: BigInt(count) });
      place += count;
    }
    from += counts.length;
  }
  return results;
};

/** The rows in a list of values; texts are parameters, so that no text has a parenthesis. */
const rowsIn = (list: string) => list.split('), (').length;

/** Executes a statement once with the arrays of all members; it has no rows as its result. */
const joined: Together = async (execute, issued) => {
  const [{ text, values: first }] = issued as [Issued];
  const values = first.map((value, index) => {
    const all = issued.map(({ values }) => values[index]);
    if (Array.isArray(value)) return all.flat();
    if (typeof value === 'string' && value.startsWith('[')) return joinedJson(all as string[]);
    if (all.some((one) => one !== value)) throw new Error(`Members differ in value ${index + 1}`);
    return value;
  });
  await execute({ text }, values);
  return issued.map(() => ({ rows: [] }));
};

const joinedJson = (arrays: readonly string[]) =>
  `[${arrays.flatMap((array) => (array.length > 2 ? [array.slice(1, -1)] : [])).join(',')}]`;

/**
 * The way for a query or an update, whose values become columns of a table with a row for each member. The database
 * tells the types of the values. Null for a statement that it does not execute so.
 */
async function typedWay(execute: Execute, text: string): Promise<Together | null> {
  const isUpdate = update.test(text) && !/\bfrom\b/.test(text) && !text.includes(' returning ');
  const isQuery = /^\s*(select|with)\b/i.test(text) && !changes.test(text);
  if (!isUpdate && !isQuery) return null;
  const types = await typesOf(execute, text);
  if (!types || types.length === 0) return null;
  const merged = isUpdate ? updateOf(text, types) : queryOf(text, types);
  if (!(await typesOf(execute, merged))) return null;
  counter += 1;
  const name = `lockstep ${counter}`;
  return async (execute, issued) => {
    const columns = types.map((_, index) => issued.map(({ values }) => textOf(values[index])));
    const { rows } = await execute({ name, text: merged }, columns);
    const results = issued.map((): { rows: unknown[] } => ({ rows: [] }));
    for (const row of rows as { '#': number }[]) {
      const place = row['#'] - 1;
      // The last property: to delete it is cheap.
      delete (row as Partial<typeof row>)['#'];
      results[place]?.rows.push(row);
    }
    if (!isUpdate) return results;
    if (single.test(text) && results.some(({ rows }) => rows.length !== 1)) {
      throw new Error('Members of a batch change the same row');
    }
    return results.map(({ rows }) => ({ rows: [], numAffectedRows: BigInt(rows.length) }));
  };
}

let counter = 0;

/** Each member's row of values, with its place from 1 on. */
const membersOf = (types: readonly string[]) => {
  const arrays = types.map((_, index) => `$${index + 1}::text[]`).join(', ');
  const names = types.map((_, index) => `value_${index + 1}`).join(', ');
  return `unnest(${arrays}) with ordinality as member (${names}, place)`;
};

const withColumns = (text: string, types: readonly string[]) =>
  text.replaceAll(
    parameter,
    (_, number) => `(member.value_${number}::${types[Number(number) - 1]})`,
  );

/** Executes the query for each member, in their order: so rows are locked in one order, too. */
const queryOf = (text: string, types: readonly string[]) =>
  `select own.*, member.place::int as "#" from ${membersOf(types)},
     lateral (select * from (${withColumns(text, types)}) own offset 0) own`;

function updateOf(text: string, types: readonly string[]) {
  const at = text.lastIndexOf(' where ');
  const [change, condition] = [text.slice(0, at), text.slice(at)];
  return `${withColumns(change, types)} from ${membersOf(types)}${withColumns(condition, types)}
     returning member.place::int as "#"`;
}

/** The types of the parameters of a statement; undefined where the database refuses it. */
async function typesOf(execute: Execute, text: string): Promise<string[] | undefined> {
  await execute('savepoint probe', []);
  try {
    await execute(`prepare probe as ${text}`, []);
    const { rows } = await execute(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'probe'`,
      [],
    );
    await execute('deallocate probe', []);
    await execute('release savepoint probe', []);
    return (rows as { types: string[] }[])[0]?.types;
  } catch (error) {
    await execute('rollback to savepoint probe', []);
    await execute('release savepoint probe', []);
    // A lost connection is not a refusal.
    if ((error as { code?: string }).code?.length !== 5) throw error;
    return undefined;
  }
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function elementOf(value: unknown): string {
  const text = textOf(value);
  return text === null ? 'NULL' : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
