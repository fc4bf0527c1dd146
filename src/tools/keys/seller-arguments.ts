import { z } from 'zod';
import { taxIdsInput } from '#domain/invoicing/billing/tax-id-input.ts';
import { postalAddressInput, storedAddress } from '#domain/kernel/inputs/address-input.ts';
import { labelInput } from '#domain/kernel/inputs/inputs.ts';
import { taxIdTypes } from '#domain/model/platform/parties.ts';
import type { Seller } from '#domain/platform/commands/organizations/found-organization.ts';
import { UsageError } from '../user-error.ts';

/** The options of a command line that name the seller, for `parseArgs`. */
export const sellerOptions = {
  'seller-name': { type: 'string' },
  'seller-address': { type: 'string' },
  'seller-tax-id': { type: 'string', multiple: true },
} as const;

const lines = Object.keys(postalAddressInput.shape).join(', ');

/** The options of the seller, for the usage of a command. */
export const sellerUsage = `[--seller-name NAME] [--seller-address 'LINE=TEXT; …'] [--seller-tax-id TYPE:VALUE]…`;

/** The meaning of these options. */
export const sellerHelp = `      --seller-… are the seller on invoices of an organization in an empty database, such as
        --seller-name 'Example Tolls GmbH' --seller-tax-id eu_vat:DE123456788
        --seller-address 'line1=Road 1; postal_code=10115; city=Berlin; country=DE'
        The lines of an address are ${lines}`;

interface Given {
  readonly 'seller-name'?: string | undefined;
  readonly 'seller-address'?: string | undefined;
  readonly 'seller-tax-id'?: string[] | undefined;
}

/** The seller of the command line; undefined without one. Errors: UsageError. */
export function sellerIn(given: Given): Seller | undefined {
  const { 'seller-name': name, 'seller-address': address, 'seller-tax-id': taxIds } = given;
  if (name === undefined && address === undefined && taxIds === undefined) return undefined;
  return {
    ...(name !== undefined && { legalName: checked('--seller-name', nameInput, name) }),
    ...(address !== undefined && {
      address: storedAddress(checked('--seller-address', postalAddressInput, addressIn(address))),
    }),
    ...(taxIds !== undefined && {
      taxIds: checked('--seller-tax-id', taxIdsInput, taxIds.map(taxIdIn)),
    }),
  };
}

const nameInput = z.string().trim().min(1, 'must not be empty').pipe(labelInput);

function addressIn(text: string): Record<string, string> {
  const address: Record<string, string> = {};
  for (const part of text.split(';').filter((part) => part.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*(\w+)\s*=(.*)$/s.exec(part) ?? [];
    if (!Object.hasOwn(postalAddressInput.shape, name)) {
      throw new UsageError(
        `--seller-address must be LINE=TEXT separated by ;, with the lines ${lines}, not ${part.trim()}`,
      );
    }
    address[name] = value.trim();
  }
  return address;
}

function taxIdIn(text: string) {
  const [, type = '', value = ''] = /^(\w+):(.+)$/s.exec(text) ?? [];
  if (taxIdTypes.some((one) => one === type)) return { type, value };
  throw new UsageError(
    `--seller-tax-id must be TYPE:VALUE with a type among ${taxIdTypes.join(', ')}, not ${text || 'empty'}`,
  );
}

/** The value as a schema has it. Errors: UsageError, one line for the first problem. */
function checked<Schema extends z.ZodType>(
  option: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const { data, error, success } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const place = (issue?.path ?? []).filter((part) => typeof part === 'string').join('.');
  throw new UsageError([option, place, issue?.message].filter(Boolean).join(' '));
}
