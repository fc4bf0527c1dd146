import type { EntityManager } from '@mikro-orm/postgresql';

/** The part of an ORM transaction that runs statements. */
interface Runner {
  executeQuery(query: object): Promise<{ rows: unknown[] }>;
}

/**
 * Runs SQL with parameters ($1, $2, …) in the session's transaction, if there is one. It is for hot paths: arrays are
 * sent as they are, and the database plans a named statement once a connection. A statement without a name is planned
 * for its arrays. Errors are the ORM's.
 */
export async function statement<Row>(
  em: EntityManager,
  name: string | undefined,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const runner = (em.getTransactionContext() ?? em.getConnection().getClient()) as Runner;
  // The driver accepts a query object with a name, and adds the parameters to it.
  const sql = { ...(name && { name }), text };
  const query = { kind: 'RawNode', sqlFragments: [text], parameters: [] };
  try {
    const { rows } = await runner.executeQuery({ sql, parameters: values, query, queryId: {} });
    return rows as Row[];
  } catch (error) {
    throw em.getDriver().convertException(error as Error);
  }
}
