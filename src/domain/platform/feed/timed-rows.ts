import { type EntityClass, raw } from '@mikro-orm/core';
import type { Listed } from '#domain/kernel/lists/order.ts';
import { allOf, type Condition, sqlCondition } from '#domain/kernel/lists/where.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { MovedClock } from './changed-rows.ts';

/** A condition that time alone changes: for a row it has another result after an instant in a column. */
export interface TimedCondition {
  /** The property with the instant, and its column. */
  readonly property: string;
  readonly column: string;
  /** The rows that it may concern at all. */
  readonly rows: Condition;
}

type Entity = EntityClass<Listed>;

const batchSize = 500;

/** The instant as SQL, in the form of the indexes of lists. */
const instantOf =
  ({ column }: TimedCondition) =>
  (alias: string) =>
    `coalesce(${alias}.${column}, 'infinity')`;

/** The next instant, from `from` on, after which the condition may have another result for some row. */
export async function nextTimedChange(
  { em }: Session,
  entity: Entity,
  timed: TimedCondition,
  from: Date,
): Promise<Date | null> {
  const instant = instantOf(timed);
  const later = sqlCondition((alias) => `${instant(alias)} >= ?`, [from]);
  const [row] = await em.find(entity, allOf([timed.rows, later]), {
    orderBy: { [raw(instant) as unknown as string]: 'asc' },
    fields: ['id', timed.property],
    limit: 1,
    disableIdentityMap: true,
  });
  return (row as Partial<Record<string, Date | null>> | undefined)?.[timed.property] ?? null;
}

/** The ids of the rows of which time has changed the condition, in batches. */
export async function* rowsChangedByTime(
  { em }: Session,
  entity: Entity,
  timed: TimedCondition,
  { from, to, clock }: { readonly from: Date; readonly to: Date; readonly clock?: MovedClock },
): AsyncGenerator<readonly string[]> {
  const instant = instantOf(timed);
  const passed = sqlCondition(
    (alias) => `${instant(alias)} >= ? and ${instant(alias)} < ?`,
    [from, to],
  );
  const ofClock =
    clock &&
    sqlCondition(
      (alias) => `${alias}.customer_id in (select id from customer where test_clock_id = ?)`,
      [clock.id],
    );
  for (let last = ''; ; ) {
    const rows = await em.find(
      entity,
      allOf([timed.rows, passed, ofClock, { id: { $gt: last } }]),
      {
        fields: ['id'],
        orderBy: { id: 'asc' },
        limit: batchSize,
        disableIdentityMap: true,
      },
    );
    if (rows.length > 0) yield rows.map(({ id }) => id);
    if (rows.length < batchSize) return;
    last = rows.at(-1)?.id ?? '';
  }
}
