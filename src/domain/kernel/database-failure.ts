/**
 * Codes of failures that the database causes, not the client. They are: connection (08); resources
 * such as disk, memory and connections (53); operator intervention (57); system (58); login (28).
 * Further: read-only (25006); idle in transaction (25P03); lock not available (55P03); conflicts
 * after all retries (40001, 40P01). Finally: a missing database (3D000); a prepared statement that
 * is gone (26000).
 */
const sqlStates = /^(08|53|57|58|28|25006$|25P03$|55P03$|40001$|40P01$|3D000$|26000$)/;
const systemCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** The messages of the driver and the pool that have no code. */
const messages =
  /Connection terminated|not queryable|Query read timeout|timeout expired|timeout exceeded when trying to connect|after calling end on the pool|driver has already been destroyed|connection does not answer|cached plan must not change/;
/**
 * The errors of a statement in a schema of another version: unknown names (42), a missing value,
 * another plan.
 */
const schemaStates = /^(42|23502$|0A000$)/;

interface Failure {
  readonly code?: string;
  readonly message?: string;
  readonly originalError?: unknown;
}

/**
 * The failure of the database, for the log; undefined where it is not the reason. `isForeign`: the schema is known to
 * be another version's, which then explains failures of statements.
 */
export function databaseFailure(error: unknown, isForeign = false): string | undefined {
  const { code = '', message = '', originalError } = (error ?? {}) as Failure;
  if (originalError) return databaseFailure(originalError, isForeign);
  // An invalid message is the caller's: a text with the character U+0000.
  if (code === '08P01' && message === 'invalid message format') return undefined;
  const isOne =
    sqlStates.test(code) ||
    systemCodes.test(code) ||
    messages.test(message) ||
    (isForeign && schemaStates.test(code));
  return isOne ? [code, message].filter(Boolean).join(' ') : undefined;
}

/**
 * Codes of failures of one statement by a database that works: a conflict, a lock that is not free, and a statement that
 * takes too long. The same statement may fail each time, so a sweep must not wait until it succeeds.
 */
const statementStates = /^(57014|55P03|40001|40P01) /;

/** Whether the database as a whole has failed: a connection was cut, or it is not there. */
export function isOutage(error: unknown): boolean {
  const failure = databaseFailure(error);
  return failure !== undefined && !statementStates.test(failure);
}

/** An error for the log: one line where the database is the reason, all of it otherwise. */
export function logged(error: unknown): { reason: string } | { err: unknown } {
  const reason = databaseFailure(error);
  return reason === undefined ? { err: error } : { reason };
}
