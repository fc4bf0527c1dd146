/**
 * The value that an alert compares: the usage of a billing period, now or as it is expected at the end, or its cost so
 * far. Or the remaining usage credits, and the hours until these run out, or until the next of them expire.
 */
export const alertKinds = [
  'usage',
  'projected_usage',
  'spend',
  'credits',
  'credit_hours',
  'credit_expiry',
] as const;

export type AlertKind = (typeof alertKinds)[number];

/** The kinds whose value triggers when it falls; the value of the others rises. */
export const fallingKinds: readonly AlertKind[] = ['credits', 'credit_hours', 'credit_expiry'];
/** The kinds that can refuse usage. */
export const limitKinds: readonly AlertKind[] = ['usage', 'spend', 'credits'];
/** The kinds that hours of usage change, without a new event. */
export const forecastKinds: readonly AlertKind[] = ['projected_usage', 'credit_hours'];
