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
 * rows in its arrays: a batch joins the arrays of its members. Errors are the ORM's.
 */
export async function statement<Row>(
  em: EntityManager,
  name: string | undefined,
  text: string,
  values: readonly unknown[],
  { joins = false }: { readonly joins?: boolean } = {},
): Promise<Row[]> {
  const member = memberOf(em);
  if (member) return (await member.run({ text, values, joins })).rows as Row[];
  const runner = (em.getTransactionContext() ?? em.getConnection().getClient()) as Runner;
  const isSteady = name !== undefined && !values.some(isLong);
  // The driver accepts a query object with a name, and adds the parameters to it.
  const sql = isSteady ? { name, text: steadyText(text) } : { text };
  const query = { kind: 'RawNode', sqlFragments: [text], parameters: [] };
  const parameters = values.map((value) => (Array.isArray(value) && arrayText(value)) || value);
  try {
    const { rows } = await runner.executeQuery({ sql, parameters, query, queryId: {} });
    return rows as Row[];
  } catch (error) {
    throw em.getDriver().convertException(error as Error);
  }
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
