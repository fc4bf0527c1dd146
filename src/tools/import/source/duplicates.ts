import { isDeepStrictEqual } from 'node:util';
import type { Raw, Records } from './read-lists.ts';
import type { Problem } from './source.ts';

/**
 * The records with each id once. Equal ones are taken once, with a note. Of different ones no one tells which is right,
 * so all of them are left out.
 */
export function withoutDuplicates<T>(
  { records, raw, refused, problems }: Records<T>,
  kind: string,
): Records<T> {
  const places = Map.groupBy(raw.keys(), (place) => nameOf(raw[place] ?? {}, kind));
  const told: Problem[] = [];
  const left = new Set<number>();
  for (const [name, [first = 0, ...others]] of places) {
    if (others.length === 0) continue;
    const count = others.length + 1;
    const isSame = others.every((place) => isDeepStrictEqual(raw[place], raw[first]));
    const message = isSame
      ? `is in the file ${count} times, and is taken once`
      : `is in the file ${count} times with different contents: export it again`;
    told.push({ record: name, message, isLeftOut: !isSame });
    for (const place of isSame ? others : [first, ...others]) left.add(place);
  }
  const isKept = (_: unknown, place: number) => !left.has(place);
  const names = new Set(told.filter(({ isLeftOut }) => isLeftOut).map(({ record }) => record));
  const contradicting = raw.filter((one: Raw) => names.has(nameOf(one, kind)));
  return {
    records: records.filter(isKept),
    raw: raw.filter(isKept),
    refused: [...refused, ...contradicting],
    problems: [...problems, ...told],
  };
}

/** In a rehearsal several customers have one token of the sandbox as their payment method. */
function nameOf({ id, customer }: Raw, kind: string): string {
  const owner = (customer as { id?: unknown } | null)?.id ?? customer;
  return kind === 'payment method' ? `${kind} ${id} of ${owner}` : `${kind} ${id}`;
}

/** The rows of CSV that are the same as an earlier one, as a note on a record: each of them is an item. */
export function repeatedRows(rows: readonly object[], record: string): Problem[] {
  const repeated = rows.filter((row, place) =>
    rows.slice(0, place).some((earlier) => isDeepStrictEqual(earlier, row)),
  );
  if (repeated.length === 0) return [];
  const message = `has ${repeated.length === 1 ? 'a row' : `${repeated.length} rows`} equal to an earlier one, and each row is an item: remove what was written twice`;
  return [{ record, message, isLeftOut: false }];
}
