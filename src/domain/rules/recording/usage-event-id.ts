import { hash } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The id of the event that a meter knows by a transaction id: a digest of the two. Whoever reports the same
 * again means the same id, so the promise that a transaction id counts once is kept by one short unique key,
 * which leads to the event as well (124 bits: two pairs never meet).
 */
export function usageEventId(usageMeterId: string, transactionId: string): string {
  const digest = hash('sha256', `${usageMeterId}\n${transactionId}`, 'buffer');
  let id = 'usage_event_';
  for (let place = 0; place < 21; place++) id += alphabet[(digest[place] as number) % 62];
  return id;
}

/** What events of one subscription, meter and period have in common when their properties are the same. */
export const propertiesDigest = (of: readonly string[], properties: object): Buffer =>
  hash('sha256', [...of, canonical(properties)].join('\n'), 'buffer');

/** JSON in which the order of keys makes no difference. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
