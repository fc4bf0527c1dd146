import type { EntityClass, FilterQuery } from '@mikro-orm/core';
import type { Listed } from '#domain/kernel/lists/order.ts';
import { type Page, page } from '#domain/kernel/lists/page.ts';
import { maximalPageSize, type PageInput } from '#domain/kernel/lists/slice.ts';
import { allOf, type Condition } from '#domain/kernel/lists/where.ts';
import { KnownIds } from '#domain/kernel/reads/known-ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { afreshAtPresent } from '#domain/platform/locks/fresh-session.ts';
import { statement } from '#engines/lockstep/statement.ts';
import type { ChangedRows } from './changed-rows.ts';
import { nextTimedChange, rowsChangedByTime, type TimedCondition } from './timed-rows.ts';

/** How many remembered rows are looked up together after others were deleted. */
const sweepSize = 500;

/** How many rows of a list are remembered for one reader. */
export const mostKnownRows = 10_000;

export const listChangeKinds = ['snapshot', 'entered', 'changed', 'left'] as const;

/** Rows of a list that have changed in one way. */
export interface ListChange<T = unknown> {
  readonly kind: (typeof listChangeKinds)[number];
  /** All changes up to this place in the feed have been emitted with this one. */
  readonly sequence: number;
  readonly ids: readonly string[];
  /** The rows; none where they have left the list. */
  readonly rows: readonly T[];
  /** Whether the list has more rows than the snapshot. */
  readonly hasMore: boolean;
}

/** A list whose changes are followed. */
export interface FollowedList<T extends Listed> {
  readonly entity: EntityClass<T>;
  /** The condition and the order of the list. Errors: those of the conditions. */
  input(session: Session): Promise<PageInput>;
  /** The condition for the rows with some ids, where the table has no index of ids. */
  readonly withIds?: (ids: readonly string[]) => Condition;
  /** The part of the condition that time changes. */
  readonly timed?: TimedCondition | undefined;
  /** The largest number of rows in the snapshot. */
  readonly first: number;
}

/**
 * A list now, and then each of its changes: rows that enter, change and leave. After `after` there is no snapshot, and
 * all rows that have changed since are evaluated. Several changes of a row within a batch are emitted as one.
 */
export function listChanges<T extends Listed>(
  session: Session,
  list: FollowedList<T>,
  changes: ChangedRows,
  after?: number,
): AsyncIterableIterator<ListChange<T>> {
  const emitted = new ListFollower(session, list, changes).emit(after);
  const leave = emitted.return.bind(emitted);
  // While the generator waits for a change it cannot be left, so the changes are ended first.
  emitted.return = async (value) => {
    await changes.return();
    return leave(value);
  };
  return emitted;
}

class ListFollower<T extends Listed> {
  readonly #session: Session;
  readonly #list: FollowedList<T>;
  readonly #changes: ChangedRows;
  #known = new KnownIds(mostKnownRows, false);
  #sequence: number;
  /** Up to when the part of the condition that time changes is evaluated. */
  #checked = new Date(0);
  /** When that part is to be evaluated again: an instant of the monotonic clock. */
  #due: number | null = null;

  constructor(session: Session, list: FollowedList<T>, changes: ChangedRows) {
    this.#session = session;
    this.#list = list;
    this.#changes = changes;
    this.#sequence = changes.place;
  }

  async *emit(after: number | undefined): AsyncGenerator<ListChange<T>, undefined> {
    try {
      if (after === undefined) yield await this.#snapshot();
      else this.#checked = await recordedAt(this.#session, after);
      await this.#plan();
      for (;;) {
        const batch = await this.#changes.next(this.#due);
        if (batch === undefined) return;
        const fresh = await afreshAtPresent(this.#session);
        // The last change of a batch completes it; one before it leaves the reader's place where it was.
        let last: ListChange<T> | undefined;
        for await (const change of this.#changesOf(fresh, batch)) {
          if (last) yield last;
          last = change;
        }
        this.#sequence = batch?.sequence ?? this.#sequence;
        if (last) yield { ...last, sequence: this.#sequence };
      }
    } finally {
      await this.#changes.return();
    }
  }

  async #snapshot(): Promise<ListChange<T>> {
    const fresh = await afreshAtPresent(this.#session);
    const { rows, hasMore } = await firstRows(fresh, this.#list);
    this.#checked = fresh.now;
    this.#known = new KnownIds(mostKnownRows, !hasMore);
    const ids = rows.map(({ id }) => id);
    for (const id of ids) this.#known.add(id);
    return { kind: 'snapshot', sequence: this.#sequence, ids, rows, hasMore };
  }

  async *#changesOf(
    session: Session,
    batch: NonNullable<Awaited<ReturnType<ChangedRows['next']>>> | null,
  ) {
    const { entity, timed } = this.#list;
    if (batch?.sweeps) {
      // The client may have rows that are not remembered, so it gets the list anew.
      if (!this.#known.isComplete) {
        yield await this.#snapshot();
        return await this.#plan();
      }
      for (const ids of this.#known.batches(sweepSize)) yield* this.#evaluate(session, ids, true);
    }
    if (batch) for await (const ids of batch.ids(session)) yield* this.#evaluate(session, ids);
    if (!timed) return;
    const rows = (span: Parameters<typeof rowsChangedByTime>[3]) =>
      rowsChangedByTime(session, entity as EntityClass<Listed>, timed, span);
    for (const clock of batch?.clocks ?? []) {
      // A row whose instant is that of the clock changes only after it, and counts again next time.
      for await (const ids of rows({ ...clock, clock })) yield* this.#evaluate(session, ids, true);
    }
    if (this.#due !== null && this.#due <= performance.now()) {
      const span = { from: this.#checked, to: session.now };
      for await (const ids of rows(span)) yield* this.#evaluate(session, ids, true);
      this.#checked = session.now;
    }
    await this.#plan();
  }

  /** Evaluates the condition for some rows in one statement. Time alone changes no row, only whether it is listed. */
  async *#evaluate(
    session: Session,
    ids: readonly string[],
    byTime = false,
  ): AsyncGenerator<ListChange<T>> {
    if (ids.length === 0) return;
    const { entity, withIds = (ids) => ({ id: { $in: ids } }) } = this.#list;
    const { filter, condition = filter } = await this.#list.input(session);
    const where = allOf([withIds(ids), condition ?? undefined]);
    const rows = (await session.em.find(entity, where as FilterQuery<T>)) as T[];
    const matching = new Set(rows.map(({ id }) => id));
    const gone = ids.filter((id) => !matching.has(id));
    const left = gone.filter((id) => this.#known.has(id) || !this.#known.isComplete);
    const entered = rows.filter(({ id }) => !this.#known.has(id));
    const changed = byTime ? [] : rows.filter(({ id }) => this.#known.has(id));
    for (const id of gone) this.#known.delete(id);
    for (const { id } of rows) this.#known.add(id);
    const of = (kind: ListChange['kind'], ids: readonly string[], rows: readonly T[]) =>
      ids.length > 0 ? [{ kind, sequence: this.#sequence, ids, rows, hasMore: false }] : [];
    yield* of('left', left, []);
    yield* of('entered', idsOf(entered), entered);
    yield* of('changed', idsOf(changed), changed);
  }

  /** Finds the instant at which time alone may change the list. */
  async #plan() {
    const { entity, timed } = this.#list;
    if (!timed) return;
    const fresh = await afreshAtPresent(this.#session);
    const readAt = performance.now();
    const next = await nextTimedChange(fresh, entity as EntityClass<Listed>, timed, this.#checked);
    this.#due = next && readAt + next.getTime() - fresh.now.getTime() + 1;
  }
}

const idsOf = (rows: readonly Listed[]) => rows.map(({ id }) => id);

/** The first rows of a list, in pages. A row that moves between them has an event after the place of the snapshot. */
async function firstRows<T extends Listed>(session: Session, list: FollowedList<T>) {
  const input = await list.input(session);
  const rows: T[] = [];
  let after: string | null = null;
  for (;;) {
    const first = Math.min(maximalPageSize, list.first - rows.length);
    const found: Page<T> = await page(session, list.entity, { ...input, first, after });
    rows.push(...found.edges.map(({ node }) => node));
    const { hasNextPage: hasMore, endCursor } = found.pageInfo;
    if (!hasMore || rows.length >= list.first) return { rows, hasMore };
    after = endCursor;
  }
}

/** The time of the last event up to a sequence, by the clock of the database. */
async function recordedAt(
  { em, organizationId, livemode }: Session,
  sequence: number,
): Promise<Date> {
  const [row] = await statement<{ at: Date | string }>(
    em,
    'time of a sequence',
    `select recorded_at as at from event
     where organization_id = $1 and livemode = $2 and sequence <= $3 order by sequence desc limit 1`,
    [organizationId, livemode, sequence],
  );
  return row ? new Date(row.at) : new Date(0);
}
