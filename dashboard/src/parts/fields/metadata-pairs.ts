/** A key of metadata with its value as a text; texts of other types are JSON. */
export interface MetadataPair {
  readonly key: string;
  readonly name: string;
  readonly value: string;
  /** The value that the record has, which stays while its text does. */
  readonly given?: unknown;
}

/** The pairs of the metadata of a record. */
export const pairsOf = (metadata: unknown): MetadataPair[] =>
  Object.entries((metadata as Record<string, unknown> | null | undefined) ?? {}).map(
    ([name, given]) => ({ key: name, name, value: textOf(given), given }),
  );

/** The metadata that pairs state; null without any. Values keep their type unless their text has changed. */
export function metadataOf(pairs: readonly MetadataPair[]): Record<string, unknown> | null {
  const named = pairs.filter(({ name }) => name.trim());
  if (named.length === 0) return null;
  return Object.fromEntries(
    named.map(({ name, value, given }) => [
      name.trim(),
      given !== undefined && textOf(given) === value ? given : value,
    ]),
  );
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
