import type { ApiKey } from '#domain/api-keys/api-key.ts';

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
  const lines = [heads, ...rows];
  const widths = heads.map((_head, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const padded = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return lines.map((line) => `${padded(line).join('  ').trimEnd()}\n`).join('');
}

function state({ active, expiresAt }: ApiKey, now: Date) {
  if (!active) return 'revoked';
  if (!expiresAt) return 'active';
  return `${expiresAt <= now ? 'expired' : 'expires'} ${minute(expiresAt)}`;
}

const minute = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Names come from API callers: they must not send control characters to the terminal. */
const printable = (text: string) => text.replace(/\p{C}/gu, ' ');
