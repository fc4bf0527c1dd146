import { type AccessScope, accessScopes } from '#domain/kernel/access-scopes.ts';
import { mostOrigins, originsInput } from '#domain/kernel/inputs/origins-input.ts';
import { type ApiKeyType, apiKeyTypes } from '#domain/kernel/session.ts';
import { isCurrency, unknownCurrency } from '#domain/kernel/values/currencies.ts';
import type { Seller } from '#domain/platform/commands/organizations/found-organization.ts';
import { asksForHelp, asksForJson, readArguments } from '../read-arguments.ts';
import { UsageError } from '../user-error.ts';
import { sellerHelp, sellerIn, sellerOptions, sellerUsage } from './seller-arguments.ts';

const longestLifeDays = 36_500;
const scopesInLine = 5;

/** The scopes in lines of a terminal. */
function inLines(scopes: readonly string[]): string {
  const lines: string[] = [];
  for (let from = 0; from < scopes.length; from += scopesInLine)
    lines.push(`        ${scopes.slice(from, from + scopesInLine).join(', ')}`);
  return lines.join('\n');
}

export const usage = `Usage: tollgate keys <command>

  create [--name NAME] [--type ${apiKeyTypes.join('|')}] [--live] [--pricing-model ID] [--expires-in-days N]
         [--scopes SCOPE,…] [--origins ORIGIN,…] [--currency CODE]
         ${sellerUsage}
      prints a new API key, shown only once; without --live the key is for test mode
      --scopes limits a secret key; \`read\` is always among them, and without it the key may do everything:
${inLines(accessScopes)}
      --origins limits a publishable key to pages of these origins, such as https://app.example.com
      --currency is the default currency of an organization in an empty database
${sellerHelp}
  list [--json]
      prints a table of all keys, or JSON
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
  /** The scopes of a secret key; all when absent. */
  readonly scopes?: readonly AccessScope[] | undefined;
  /** The origins of a publishable key; all when absent. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The default currency of the organization. */
  readonly currency?: string | undefined;
  /** The seller of the organization. */
  readonly seller?: Seller | undefined;
}

/** The request of the command line to the database. */
export type KeysRequest =
  | CreateKey
  | { readonly command: 'list'; readonly json: boolean }
  | { readonly command: 'revoke'; readonly id: string };

/** The request of the command line. */
export type KeysArguments = KeysRequest | { readonly command: 'help' };

/** Parses the command line. Errors: UsageError. */
export function parseKeysArguments(args: readonly string[]): KeysArguments {
  if (asksForHelp(args)) return { command: 'help' };
  const [command, ...rest] = args;
  if (command === 'create') return parseCreate(rest);
  if (command === 'list') return { command, json: asksForJson(rest) };
  if (command === 'revoke') return { command, id: parseId(rest) };
  throw new UsageError(
    command ? `There is no command ${command}` : 'A command is missing: create, list or revoke',
  );
}

function parseCreate(args: string[]): CreateKey {
  const { values } = readArguments({
    args,
    options: {
      name: { type: 'string', default: 'Command line' },
      type: { type: 'string', default: 'secret' },
      live: { type: 'boolean', default: false },
      'pricing-model': { type: 'string' },
      'expires-in-days': { type: 'string' },
      scopes: { type: 'string' },
      origins: { type: 'string' },
      currency: { type: 'string' },
      ...sellerOptions,
    },
  });
  const type = keyType(values.type);
  return {
    command: 'create',
    name: values.name,
    type,
    scopes: scopes(values.scopes, type),
    allowedOrigins: origins(values.origins, type),
    live: values.live,
    pricingModelId: values['pricing-model'],
    expiresInDays: days(values['expires-in-days']),
    currency: knownCurrency(values.currency),
    seller: sellerIn(values),
  };
}

function parseId(args: string[]): string {
  const { positionals } = readArguments({ args, options: {}, allowPositionals: true });
  const [id, ...more] = positionals;
  if (!id || more.length > 0) throw new UsageError('revoke takes the id of one key');
  return id;
}

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

/** The values of a list that is separated by commas. */
const listed = (value: string) => value.split(',').map((text) => text.trim());

function scopes(value: string | undefined, type: ApiKeyType): AccessScope[] | undefined {
  if (value === undefined) return undefined;
  if (type !== 'secret') throw new UsageError('--scopes is for secret keys: leave it out');
  return listed(value).map((text) => {
    const scope = accessScopes.find((scope) => scope === text);
    if (scope) return scope;
    throw new UsageError(
      `--scopes must be among ${accessScopes.join(', ')}, not ${text || 'empty'}`,
    );
  });
}

function origins(value: string | undefined, type: ApiKeyType): string[] | undefined {
  if (value === undefined) return undefined;
  if (type !== 'publishable')
    throw new UsageError('--origins is for publishable keys: add --type publishable');
  const { data, error } = originsInput.safeParse(listed(value));
  if (data) return data;
  const [index] = error.issues[0]?.path ?? [];
  const wrong = typeof index === 'number' ? listed(value)[index] : value;
  throw new UsageError(
    `--origins must be 1 to ${mostOrigins} origins such as https://app.example.com, without a path, not ${wrong || 'empty'}`,
  );
}
