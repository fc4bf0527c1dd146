import type { ApiKey } from '#domain/model/platform/api-key.ts';
import { jsonText, minute, printable, textTable } from '../text-table.ts';

const heads = ['ID', 'TYPE', 'MODE', 'NAME', 'KEY', 'PRICING MODEL', 'STATE', 'CREATED'];

type Keys = readonly { apiKey: ApiKey; pricingModel: string }[];

/** The keys as JSON, without what would be enough to use them. */
export const keysJson = (keys: Keys): string =>
  jsonText(
    keys.map(({ apiKey, pricingModel }) => {
      const { id, type, livemode, name, token, active, expiresAt, createdAt } = apiKey;
      return { id, type, livemode, name, token, pricingModel, active, expiresAt, createdAt };
    }),
  );

/** One line for each key, in columns. */
export function keysTable(keys: Keys, now: Date): string {
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
