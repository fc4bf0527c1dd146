import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestListener } from 'node:http';

/** The statements of one request; statements that requests share belong to none. */
interface StatementCount {
  statements: number;
  milliseconds: number;
  /** The one that took longest; its values are bound, so its text has none. */
  slowest: { sql: string; milliseconds: number };
}

/** The log has the beginning of a longer statement. */
const longestSql = 1_000;

const counts = new AsyncLocalStorage<StatementCount>();

/** Counts the statements of each request while it is served. */
export const countStatements =
  (listener: RequestListener): RequestListener =>
  (request, response) =>
    counts.run({ statements: 0, milliseconds: 0, slowest: { sql: '', milliseconds: 0 } }, () =>
      listener(request, response),
    );

/** The statements of the current request so far; undefined outside of a request. */
export const statementCount = () => counts.getStore();

/** Adds a statement that began at an instant of `performance.now()` to the request that waits for it. */
export function countStatement(sql: string, began: number) {
  const count = counts.getStore();
  if (!count) return;
  const milliseconds = performance.now() - began;
  count.statements += 1;
  count.milliseconds += milliseconds;
  if (milliseconds > count.slowest.milliseconds) {
    count.slowest = { sql: sql.slice(0, longestSql), milliseconds };
  }
}
