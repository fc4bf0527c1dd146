import type { ExecutionResult } from 'graphql';

/** The size of an operation, as its answer shows it in `extensions.cost`. */
export interface Cost {
  /** The largest number of objects that the operation reads. */
  readonly requested: number;
  /** The largest number that the credential allows. */
  readonly allowed: number;
  /** The levels of nested objects. */
  readonly depth: number;
  readonly allowedDepth: number;
}

/** The result with the cost in its extensions. */
export const withCost = (result: ExecutionResult, cost: Cost | undefined): ExecutionResult =>
  cost ? { ...result, extensions: { ...result.extensions, cost } } : result;

/** Whether a caller asks for the cost: with `Prefer: cost`, or with `cost` in the request's extensions. */
export const wantsCost = (
  preferences: string | null | undefined,
  extensions: Readonly<Record<string, unknown>> | null | undefined,
): boolean =>
  extensions?.cost === true || /(?:^|[,;])\s*cost\s*(?:$|[,;])/i.test(preferences ?? '');
