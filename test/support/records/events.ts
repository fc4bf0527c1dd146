import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Event } from '#domain/model/platform/event.ts';
import { fresh } from '../factories.ts';

/** Fields of single types of events besides those of the object. */
const further = new Set(['announcedFor', 'oldItems', 'newItems', 'reason', 'currency']);

/** Fields that each change sets. */
const bookkeeping = new Set(['updatedAt', 'version']);

/** Values that usage and boundaries change: events of usage, and the types `expired` and `rolled_over`, tell of it. */
const byUsage: Readonly<Record<string, readonly string[]>> = {
  UsageCredit: [
    ...['remaining', 'expired', 'rolledOver', 'notRolledOver', 'rolloverPeriods'],
    'expiresAt',
  ],
  UsageEvent: ['count', 'sum', 'lastId'],
};

/**
 * Every event of an object has the fields of the object's first event, and names each field that differs from the event
 * before in its former values.
 */
export async function expectEventsToAgree(session: Session) {
  const events = await fresh(session).em.find(Event, {}, { orderBy: { position: 'asc' } });
  const problems: string[] = [];
  for (const [first, ...later] of Map.groupBy(events, ({ objectId }) => objectId).values()) {
    let before = first;
    for (const event of later) {
      if (!first || !before) continue;
      const where = `${event.type} after ${before.type}`;
      for (const name of new Set([...Object.keys(first.data), ...Object.keys(event.data)])) {
        if (further.has(name)) continue;
        if (name in first.data !== name in event.data) problems.push(`${where}: ${name}`);
        const isSame = isDeepStrictEqual(before.data[name], event.data[name]);
        if (isSame || bookkeeping.has(name) || byUsage[event.objectType]?.includes(name)) continue;
        const told = event.previousAttributes ?? {};
        if (!(name in told)) problems.push(`${where}: ${name} differs, and is not told of`);
        else if (!isDeepStrictEqual(told[name], before.data[name]))
          problems.push(`${where}: ${name} was ${JSON.stringify(before.data[name])}`);
      }
      before = event;
    }
  }
  expect([...new Set(problems)]).toEqual([]);
}
