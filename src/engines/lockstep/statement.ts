import type { EntityManager } from '@mikro-orm/postgresql';
import { arrayText } from './array-text.ts';
import { memberOf } from './lockstep.ts';

/** The part of an ORM transaction that runs statements. */
interface Runner {
  executeQuery(query: object): Promise<{ rows: unknown[] }>;
}

/** Up to this length, arrays do not decide the plan of a named statement. */
const few = 40;
const steadyTexts = new Map<string, string>();

/**
 * Runs SQL with parameters ($1, $2, …) in the session's transaction, if there is one. It is for hot paths: arrays are
 * sent as they are, and the database plans a named statement with short arrays once a connection. A statement without
 * a name, or with a long array, is planned for its arrays. `joins` is for a statement without a result that works on the
 * rows in its arrays: a batch joins the arrays of its members. `commits` is for the last statement of a transaction: the
 * commit leaves with it, so nothing may be refused afterwards. Errors are the ORM's.
 */
export async function statement<Row>(
  em: EntityManager,
  name: string | undefined,
  text: string,
  values: readonly unknown[],
  { joins = false, commits = false }: { readonly joins?: boolean; readonly commits?: boolean } = {},
): Promise<Row[]> {
  const member = memberOf(em);
  if (member) return (await member.run({ text, values, joins })).rows as Row[];
  return run(em, toSend({ name, text, values }, commits));
}

/** A statement with its values; see `statement`. */
export interface Statement {
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Runs statements of a transaction in one round trip, one after the other: each sees what those before it have done, and
 * what was committed while these waited. Returns the rows of each. Errors are those of the first one that fails.
 */
export async function statements(
  em: EntityManager,
  several: readonly Statement[],
): Promise<readonly (readonly unknown[])[]> {
  const member = memberOf(em);
  if (!member && several.length > 1) return run(em, { sql: { several: several.map(asGiven) } });
  const all: unknown[][] = [];
  for (const one of several) all.push(await statement(em, one.name, one.text, one.values));
  return all;
}

type ToSend = { readonly sql: object; readonly parameters?: readonly unknown[] };

async function run<Row>(em: EntityManager, { sql, parameters = [] }: ToSend): Promise<Row[]> {
  const runner = (em.getTransactionContext() ?? em.getConnection().getClient()) as Runner;
  const query = { kind: 'RawNode', sqlFragments: [], parameters: [] };
  try {
    const { rows } = await runner.executeQuery({ sql, parameters, query, queryId: {} });
    return rows as Row[];
  } catch (error) {
    throw em.getDriver().convertException(error as Error);
  }
}

/** The driver accepts a query object with a name, and adds the parameters to it. */
function toSend(one: Statement, commits: boolean) {
  const { values: parameters, ...sql } = asGiven(one);
  return { sql: { ...sql, commits }, parameters };
}

function asGiven({ name, text, values }: Statement) {
  const isSteady = name !== undefined && !values.some(isLong);
  const given = values.map((value) => (Array.isArray(value) && arrayText(value)) || value);
  return isSteady ? { name, text: steadyText(text), values: given } : { text, values: given };
}

const isLong = (value: unknown) => Array.isArray(value) && value.length > few;

/**
 * The statement with its arrays in selects, which hide their lengths from the planner. It would else find a plan for
 * one element cheaper than one for any number, and plan each execution again.
 */
function steadyText(text: string): string {
  const known = steadyTexts.get(text);
  if (known !== undefined) return known;
  const steady = text.replaceAll(/\$(\d+)::(\w+\[\])/g, '(select $$$1::$2)::$2');
  steadyTexts.set(text, steady);
  return steady;
}
