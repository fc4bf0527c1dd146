import type { ApiKey } from '#domain/model/platform/api-key.ts';
import { minute, printable, textTable } from '../text-table.ts';

const heads = ['ID', 'TYPE', 'MODE', 'NAME', 'KEY', 'PRICING MODEL', 'STATE', 'CREATED'];

/** One line for each key, in columns. */
export function keysTable(
  keys: readonly { apiKey: ApiKey; pricingModel: string }[],
  now: Date,
): string {
  const rows = keys.map(({ apiKey, pricingModel }) => [
    apiKey.id,
    apiKey.type,
    apiKey.livemode ? 'live' : 'test',
    printable(apiKey.name),
    apiKey.token,
    printable(pricingModel),
    state(apiKey, now),
    minute(apiKey.createdAt),
  ]);
  return textTable([heads, ...rows]);
}

function state({ active, expiresAt }: ApiKey, now: Date) {
  if (!active) return 'revoked';
  if (!expiresAt) return 'active';
  return `${expiresAt <= now ? 'expired' : 'expires'} ${minute(expiresAt)}`;
}
