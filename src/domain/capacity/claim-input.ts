import { countInput, keptLine, keptText } from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';

/** The largest number of claims that one call changes by number: each claim is a row with its event. */
export const largestCall = 1_000_000;

/** The largest number of names or ids in a call, which one statement changes. */
const mostNames = 50_000;

/** How many claims one response lists; the connection `resourceClaims` has them all, in pages. */
export const mostListed = 10_000;

const nameOfClaim = keptLine(255).refine((name) => name.trim() !== '', 'must not be blank');

/** The ways to select claims: a quantity, one name or several names. */
export const selectors = {
  quantity: countInput.nullish(),
  externalId: nameOfClaim.nullish(),
  externalIds: listInput(nameOfClaim, mostNames, 1).nullish(),
};

export const claimIdsInput = listInput(keptText(255), mostNames, 1);

interface Named {
  readonly externalId?: string | null | undefined;
  readonly externalIds?: readonly string[] | null | undefined;
}

/** The requested names, each once, in their order; null for a request by number. */
export function namesIn({ externalId, externalIds }: Named): string[] | null {
  if (externalId != null) return [externalId];
  return externalIds ? [...new Set(externalIds)] : null;
}

/** The field of the input that selects the claims. */
export const selectorIn = (input: Readonly<Record<string, unknown>>) =>
  ['quantity', 'externalId', 'externalIds', 'claimIds'].find((name) => input[name] != null) ?? '';

/** JSON for a parameter of the database functions. */
export const asJson = (value: unknown) => (value == null ? null : JSON.stringify(value));
