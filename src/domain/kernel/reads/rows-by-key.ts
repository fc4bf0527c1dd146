import type { EntityClass } from '@mikro-orm/core';
import type { PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { Session } from '#domain/kernel/session.ts';

/** A row as the database sends it, by the names of its columns. */
export type Row = Record<string, unknown>;

/** A text column that is unique within a pricing model, at least among the rows of a condition. */
export interface UniqueColumn {
  readonly column: string;
  /** The condition on `record` in SQL; all rows when absent. */
  readonly among?: string;
}

interface Wanted {
  readonly value: string;
  readonly pricingModelId: string;
  resolve(row: Row | undefined): void;
  reject(error: unknown): void;
}

/** One statement for a table and a column. */
interface Statement {
  readonly name: string;
  readonly text: string;
}

/** The reads that wait for the next statement, by connection and statement. */
const waiting = new WeakMap<object, Map<Statement, Wanted[]>>();
const statements = new Map<UniqueColumn, Map<string, Statement>>();
const additions = new Map<string, string>();

/**
 * Adds a value of other tables to the rows of a table, as SQL over `record`. It is read in the statement of the row,
 * which costs less than a statement of its own.
 */
export function readsBeside(entity: EntityClass<object>, column: string, sql: string) {
  additions.set(entity.name, `, (${sql}) as ${column}`);
}

export const hasValuesBeside = ({ name }: EntityClass<object>) => additions.has(name);

/**
 * Reads the row of the session's pricing model with a value in a unique column. All reads of one turn of the event
 * loop become one statement, whatever their request.
 */
export function rowByKey(
  { em, pricingModelId }: Session,
  entity: EntityClass<object>,
  unique: UniqueColumn,
  value: string,
): Promise<Row | undefined> {
  const connection = em.getConnection() as PostgreSqlConnection;
  const queues = waiting.get(connection) ?? new Map<Statement, Wanted[]>();
  waiting.set(connection, queues);
  const { tableName, className } = em.getMetadata(entity);
  const statement = statementOf(tableName, className, unique);
  return new Promise((resolve, reject) => {
    const wanted = { value, pricingModelId, resolve, reject };
    const queue = queues.get(statement);
    if (queue) return queue.push(wanted);
    const first = [wanted];
    queues.set(statement, first);
    setImmediate(() => {
      queues.delete(statement);
      void answer(connection, statement, unique, first);
    });
  });
}

/**
 * Raw SQL, with the tenant in it: a prepared statement costs a fifth of the ORM's own read. The selects around its
 * parameters hide their lengths from the planner, which would else plan each execution again.
 */
function statementOf(table: string, name: string, unique: UniqueColumn): Statement {
  const known = statements.get(unique) ?? new Map<string, Statement>();
  statements.set(unique, known);
  const { column, among } = unique;
  const statement = known.get(table) ?? {
    name: `${table} by ${column}`,
    text: `select record.*${additions.get(name) ?? ''} from "${table}" record
      where (record.${column}, record.pricing_model_id) in (
        select * from unnest((select $1::text[]), (select $2::text[])))
      ${among ? `and ${among}` : ''}`,
  };
  known.set(table, statement);
  return statement;
}

async function answer(
  connection: PostgreSqlConnection,
  { name, text }: Statement,
  { column }: UniqueColumn,
  queue: readonly Wanted[],
) {
  try {
    const pool = await connection.getNativeClient();
    const values = [
      queue.map(({ value }) => value),
      queue.map(({ pricingModelId }) => pricingModelId),
    ];
    const { rows } = await pool.query<Row>({ name, text, values });
    // Two tenants may ask for the same value; each row goes only to its own.
    const found = new Map(rows.map((row) => [`${row.pricing_model_id} ${row[column]}`, row]));
    for (const { value, pricingModelId, resolve } of queue) {
      resolve(found.get(`${pricingModelId} ${value}`));
    }
  } catch (error) {
    for (const { reject } of queue) reject(error);
  }
}
