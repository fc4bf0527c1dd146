/** Keys of a record that only its records of one `type` have. */
interface Variant {
  readonly keys: readonly [string, ...string[]];
  readonly type: string;
}

/** The variants of records, each found by its first key, which no other record has. */
const variants: readonly Variant[] = [
  {
    keys: ['stripePaymentIntentId', 'stripeTaxCalculationId', 'stripeTaxTransactionId'],
    type: 'standalone',
  },
  { keys: ['ledgerAccountId', 'ledgerAccountCredit', 'billingRunId'], type: 'usage' },
];

/** The keys of a record that some of its types do not have. */
export const keysOfVariants = (names: readonly string[]): readonly string[] =>
  variants.flatMap(({ keys }) => (names.includes(keys[0]) ? keys : []));

/** Leaves out the keys that a record of its type does not have, in an answer and all that it contains. */
export function renderVariants(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renderVariants);
  if (value === null || typeof value !== 'object') return value;
  const omitted = new Set(
    variants.flatMap(({ keys, type }) =>
      keys[0] in value && (value as { type?: unknown }).type !== type ? keys : [],
    ),
  );
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) =>
      omitted.has(name) ? [] : [[name, renderVariants(field)]],
    ),
  );
}
