/** The key-value pairs of a record as facts. */
export const metadataFacts = (metadata: unknown): (readonly [string, string])[] =>
  Object.entries((metadata as Record<string, unknown> | null) ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
