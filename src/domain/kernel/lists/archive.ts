import type { Session } from '#domain/kernel/session.ts';
import type { Listed, Order, Place } from './order.ts';

/** A place in the order of creation. */
export interface CreationPlace {
  /** In milliseconds. */
  readonly createdAt: number;
  readonly position: number;
  readonly id: string;
}

/** The part of a list that is read: in the order of creation or its opposite, strictly between two places. */
export interface ArchivedReading {
  readonly descending: boolean;
  readonly after?: CreationPlace | undefined;
  readonly before?: CreationPlace | undefined;
  readonly limit: number;
}

/** The conditions of a list, and how its archive is opened. */
interface ArchivedList {
  readonly filter?: object | null | undefined;
  readonly where?: object | null | undefined;
  readonly openArchive?: OpenArchive | undefined;
}

type Cursors<T> = { readonly [argument in 'after' | 'before']?: T };

/** The part of a list that a request reads, as `page` has it. */
interface Slice {
  readonly size: number;
  readonly backward: boolean;
  readonly order: Order;
  readonly places: Cursors<Place>;
  readonly positions?: Cursors<number>;
  readonly input: ArchivedList;
}

/** The rows of a list that are no longer in its table. */
export interface ArchivedRows {
  rows(reading: ArchivedReading): Promise<Listed[]>;
  count(): Promise<number>;
}

/** The rows of an entity that have left its table, as they were when it was opened. */
export interface Archive {
  /** Differs as soon as more rows have left the table. */
  readonly version: string;
  of(list: ArchivedList): ArchivedRows;
  /** The position of a row, wherever it is; undefined for an unknown one. */
  positionOf(id: string): Promise<number | undefined>;
}

/** Opens the archive of the session's rows; undefined when all of them are in their table. */
export type OpenArchive = (session: Session) => Promise<Archive | undefined>;

/**
 * The rows of a slice from table and archive. Rows move from the one to the other in one transaction. So the archive is
 * opened after the table was read. A row that has moved meanwhile is in both, and counts once.
 */
export async function withArchived<T extends Listed, S extends Slice>(
  session: Session,
  slice: S,
  readTable: (slice: S) => Promise<T[]>,
): Promise<T[]> {
  const { openArchive } = slice.input;
  const hasCursor = Object.keys(slice.places).length > 0;
  const placed = hasCursor ? await placeCursors(slice, await openArchive?.(session)) : slice;
  const rows = await readTable(placed);
  const archive = await openArchive?.(session);
  if (!archive) return rows;
  return mergeArchived(placed, rows, archive);
}

/** Finds the positions of the cursors' rows, which may be in the archive. */
async function placeCursors<S extends Slice>(slice: S, archive: Archive | undefined): Promise<S> {
  if (!archive) return slice;
  const positions: Record<string, number> = {};
  for (const [argument, place] of Object.entries(slice.places)) {
    const position = await archive.positionOf(place.id);
    if (position !== undefined) positions[argument] = position;
  }
  return { ...slice, positions };
}

/** Adds the archived rows of a slice to those of the table, which are in reading order. */
export async function mergeArchived<T extends Listed>(
  slice: Slice,
  rows: readonly T[],
  archive: Archive,
): Promise<T[]> {
  const descending = isDescending(slice);
  const limit = slice.size + 1;
  const archived = (await archive.of(slice.input).rows({
    descending,
    after: placeOf(slice, 'after'),
    before: placeOf(slice, 'before'),
    limit,
  })) as T[];
  const known = new Set(rows.map(({ id }) => id));
  const all = [...rows, ...archived.filter(({ id }) => !known.has(id))];
  const direction = descending ? -1 : 1;
  return all.sort((one, other) => direction * compare(one, other)).slice(0, limit);
}

const isDescending = ({ order, backward }: { order: Order; backward: boolean }) =>
  order.descending !== backward;

/** The place of a cursor in the order of creation. As in the table, an unknown row is before its equals. */
function placeOf(
  { places, positions, order }: Slice,
  argument: 'after' | 'before',
): CreationPlace | undefined {
  const place = places[argument];
  if (!place) return undefined;
  const isLower = (argument === 'after') !== order.descending;
  const unknown = isLower ? 0 : Number.MAX_SAFE_INTEGER;
  const position = positions?.[argument] ?? unknown;
  return { createdAt: new Date(place.value ?? 0).getTime(), position, id: place.id };
}

const compare = (one: Listed, other: Listed) =>
  one.createdAt.getTime() - other.createdAt.getTime() ||
  one.position - other.position ||
  (one.id < other.id ? -1 : 1);

/** The length of a list. It is counted again when rows have moved meanwhile. */
export async function countWithArchived(
  session: Session,
  input: ArchivedList,
  countTable: () => Promise<number>,
): Promise<number> {
  for (;;) {
    const archive = await input.openArchive?.(session);
    const count = await countTable();
    const present = input.openArchive && (await input.openArchive(session));
    if (archive?.version !== present?.version) continue;
    return archive ? count + (await archive.of(input).count()) : count;
  }
}
