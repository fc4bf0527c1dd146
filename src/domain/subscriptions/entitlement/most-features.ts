import { invalid } from '#domain/kernel/errors.ts';

/** How many features a product grants, and a subscription item has; expired ones count. Both are lists without pages. */
export const mostFeatures = 1_000;

/** Errors: BAD_REQUEST for more features than a product or a subscription item may have. */
export function requireRoom(count: number, path: string) {
  if (count <= mostFeatures) return;
  throw invalid(
    'OUT_OF_RANGE',
    path,
    `would be more than ${mostFeatures.toLocaleString('en-US')} features, expired ones included`,
  );
}
