import { parseArgs } from 'node:util';
import { isCurrency, unknownCurrency } from '#domain/kernel/currencies.ts';
import { type ApiKeyType, apiKeyTypes } from '#domain/kernel/session.ts';

const longestLifeDays = 36_500;

export const usage = `Usage: npm run keys -- <command>

  create [--name NAME] [--type ${apiKeyTypes.join('|')}] [--live] [--pricing-model ID] [--expires-in-days N] [--currency CODE]
      prints a new API key, shown only once; without --live the key is for test mode;
      --currency is the default currency of an organization in an empty database
  list
      prints a table of all keys
  revoke ID
      revokes a key immediately and permanently
`;

export interface CreateKey {
  readonly command: 'create';
  readonly name: string;
  readonly type: ApiKeyType;
  readonly live: boolean;
  readonly pricingModelId: string | undefined;
  readonly expiresInDays: number | undefined;
  /** The default currency of the organization. */
  readonly currency: string | undefined;
}

/** The request of the command line to the database. */
export type KeysRequest =
  | CreateKey
  | { readonly command: 'list' }
  | { readonly command: 'revoke'; readonly id: string };

/** The request of the command line. */
export type KeysArguments = KeysRequest | { readonly command: 'help' };

/** Invalid arguments; the message states the error. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Parses the command line. Errors: UsageError. */
export function parseKeysArguments([command, ...rest]: readonly string[]): KeysArguments {
  const asksForHelp = [command, ...rest].some((word) => word === '--help' || word === '-h');
  if (asksForHelp || command === 'help') return { command: 'help' };
  if (command === 'create') return parseCreate(rest);
  if (command === 'list') {
    parse({ args: rest, options: {} });
    return { command };
  }
  if (command === 'revoke') return { command, id: parseId(rest) };
  throw new UsageError(
    command ? `There is no command ${command}` : 'A command is missing: create, list or revoke',
  );
}

function parseCreate(args: string[]): CreateKey {
  const { values } = parse({
    args,
    options: {
      name: { type: 'string', default: 'Command line' },
      type: { type: 'string', default: 'secret' },
      live: { type: 'boolean', default: false },
      'pricing-model': { type: 'string' },
      'expires-in-days': { type: 'string' },
      currency: { type: 'string' },
    },
  });
  return {
    command: 'create',
    name: values.name,
    type: keyType(values.type),
    live: values.live,
    pricingModelId: values['pricing-model'],
    expiresInDays: days(values['expires-in-days']),
    currency: knownCurrency(values.currency),
  };
}

function parseId(args: string[]): string {
  const { positionals } = parse({ args, options: {}, allowPositionals: true });
  const [id, ...more] = positionals;
  if (!id || more.length > 0) throw new UsageError('revoke takes the id of one key');
  return id;
}

/** Node's own messages are good; they only have to become usage errors. */
const parse: typeof parseArgs = (config) => {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

function keyType(value: string): ApiKeyType {
  const type = apiKeyTypes.find((type) => type === value);
  if (!type) throw new UsageError(`--type must be ${apiKeyTypes.join(' or ')}, not ${value}`);
  return type;
}

function knownCurrency(value: string | undefined): string | undefined {
  if (value === undefined || isCurrency(value)) return value;
  throw new UsageError(`--currency ${unknownCurrency}, not ${value}`);
}

function days(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d+$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= longestLifeDays) return number;
  throw new UsageError(
    `--expires-in-days must be a whole number, 1 to ${longestLifeDays}, not ${value}`,
  );
}
