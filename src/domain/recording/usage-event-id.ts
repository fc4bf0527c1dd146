import { hash } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The character for each value of a byte. */
const characters = Array.from({ length: 256 }, (_, byte) => alphabet[byte % alphabet.length]);

/**
 * The id of an event: a digest of its meter and transaction id. A repeated report has the same id, so one short
 * unique key makes each transaction id count once. The key also leads to the event (124 bits: two pairs never meet).
 */
export function usageEventId(usageMeterId: string, transactionId: string): string {
  // A text takes half the time of a buffer.
  const digest = hash('sha256', `${usageMeterId}\n${transactionId}`, 'binary');
  let id = 'usage_event_';
  for (let place = 0; place < 21; place++) id += characters[digest.charCodeAt(place)];
  return id;
}

/** A digest that events of one subscription, meter and period share when their properties are equal. */
export const propertiesDigest = (of: readonly string[], properties: object): Buffer =>
  hash('sha256', [...of, canonical(properties)].join('\n'), 'buffer');

/** JSON that does not depend on the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
