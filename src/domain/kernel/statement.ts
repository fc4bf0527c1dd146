import type { EntityManager } from '@mikro-orm/postgresql';

/** What a transaction of the ORM runs statements on. */
interface Runner {
  executeQuery(query: object): Promise<{ rows: unknown[] }>;
}

/**
 * Runs SQL with parameters ($1, $2, …) in the session's transaction, if there is one. For hot paths: arrays
 * go over the wire as they are, and the database plans a named statement once a connection; one without a name is
 * planned for the arrays that it is given. Errors are the ORM's.
 */
export async function statement<Row>(
  em: EntityManager,
  name: string | undefined,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const runner = (em.getTransactionContext() ?? em.getConnection().getClient()) as Runner;
  // What is handed to the driver as its query may have a name; its parameters are added to it.
  const sql = { ...(name && { name }), text };
  const query = { kind: 'RawNode', sqlFragments: [text], parameters: [] };
  try {
    const { rows } = await runner.executeQuery({ sql, parameters: values, query, queryId: {} });
    return rows as Row[];
  } catch (error) {
    throw em.getDriver().convertException(error as Error);
  }
}
