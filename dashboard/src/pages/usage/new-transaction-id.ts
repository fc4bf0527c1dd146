/** A new transaction id for usage that a person records. */
export function newTransactionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return `manual-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
