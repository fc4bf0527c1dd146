/** The server's errors after which a connection must not be used again. */
const lostCodes = new Set([
  // Read-only: a server that has become a standby. Its address may lead to the new primary already.
  '25006',
  // Idle in transaction for too long, shutdown, crash, start-up, dropped database, idle for too long.
  '25P03',
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '57P05',
  // The prepared statements of this connection are gone or have changed.
  '26000',
]);

/**
 * Whether a connection must leave the pool after this error. True for errors that the server
 * itself has not sent, such as a broken socket or a read timeout. True also for errors that end
 * the session, or that the next user would meet again.
 */
export function isLost(error: unknown): boolean {
  const {
    code = '',
    severity,
    message = '',
  } = (error ?? {}) as {
    code?: string;
    severity?: string;
    message?: string;
  };
  if (!severity || severity === 'FATAL' || severity === 'PANIC') return true;
  if (code.startsWith('08') && code !== '08P01') return true;
  return lostCodes.has(code) || /cached plan must not change/.test(message);
}
