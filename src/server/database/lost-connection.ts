/** Codes after which a connection must not be used again, although the server has responded. */
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
  // The prepared statements of this connection are gone, or have other contents.
  '26000',
]);

/**
 * Whether a connection must leave the pool after an error: one that is not the server's own, such as a broken socket
 * or a timeout. Also one that ends the session, and one that the next user of the connection would get again.
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
