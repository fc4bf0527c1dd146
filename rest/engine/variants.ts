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

/** Keys, each of a record that also has the other one, that are the empty text where the graph has null. */
const texts: Readonly<Record<string, string>> = {
  country: 'postal_code',
  billingPortalUrl: 'currentSubscriptions',
};

/** Whether a key of an object with these names is a text, never null. */
export const isText = (name: string, names: readonly string[]): boolean =>
  Object.hasOwn(texts, name) && names.includes(texts[name] ?? '');

/** Whether an answer with these names is rendered by `renderVariants`. */
export const hasVariants = (names: readonly string[]): boolean =>
  keysOfVariants(names).length > 0 || names.some((name) => isText(name, names));

/** The keys of a record that some of its types do not have. */
export const keysOfVariants = (names: readonly string[]): readonly string[] =>
  variants.flatMap(({ keys }) => (names.includes(keys[0]) ? keys : []));

/**
 * Leaves out the keys that a record of its type does not have, in an answer and all that it contains. Keys that are
 * never null become texts.
 */
export function renderVariants(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renderVariants);
  if (value === null || typeof value !== 'object') return value;
  const omitted = new Set(
    variants.flatMap(({ keys, type }) =>
      keys[0] in value && (value as { type?: unknown }).type !== type ? keys : [],
    ),
  );
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      if (omitted.has(name)) return [];
      const isEmpty = field === null && isText(name, Object.keys(value));
      // Those of a caller are as the caller sent them.
      if (name === 'metadata') return [[name, field]];
      return [[name, isEmpty ? '' : renderVariants(field)]];
    }),
  );
}
