/** The largest number of groups of an answer; the rest is added up as others. */
export const mostGroups = 100;

/** The keys of the largest groups, by the sum of their sizes. */
export function largestFirst<Row, Key>(
  rows: readonly Row[],
  of: (row: Row) => readonly [key: Key, size: bigint],
  most = mostGroups,
): ReadonlySet<Key> {
  const sizes = new Map<Key, bigint>();
  for (const row of rows) {
    const [key, size] = of(row);
    sizes.set(key, (sizes.get(key) ?? 0n) + size);
  }
  const keys = [...sizes].toSorted(([, one], [, other]) =>
    other > one ? 1 : other < one ? -1 : 0,
  );
  return new Set(keys.slice(0, most).map(([key]) => key));
}
