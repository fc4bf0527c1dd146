import pg from 'pg';

/** Counts the statements that this process sends to the database, including `begin` and `commit`. */
export function countStatements() {
  const { query } = pg.Client.prototype;
  let count = 0;
  pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
    count += 1;
    return (query as (...given: unknown[]) => unknown).apply(this, given);
  } as typeof query;
  return {
    stop: () => {
      pg.Client.prototype.query = query;
      return count;
    },
  };
}
