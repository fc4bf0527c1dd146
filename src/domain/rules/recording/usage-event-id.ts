import { hash } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The id of an event: a digest of its meter and transaction id. A repeated report has the same id, so one short
 * unique key makes each transaction id count once. The key also leads to the event (124 bits: two pairs never meet).
 */
export function usageEventId(usageMeterId: string, transactionId: string): string {
  const digest = hash('sha256', `${usageMeterId}\n${transactionId}`, 'buffer');
  let id = 'usage_event_';
  for (let place = 0; place < 21; place++) id += alphabet[(digest[place] as number) % 62];
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
