import { LockMode } from '@mikro-orm/core';
import { later } from '#domain/kernel/columns.ts';
import { type Session, scopeOf } from '#domain/kernel/session.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import { statement } from '#engines/lockstep/statement.ts';

/**
 * The same unit of work at another instant, which applies to its decisions, its rows and their events. Use it within
 * a transaction: the session shares that transaction's EntityManager.
 */
export function atInstant(session: Session, now: Date): Session {
  return { ...moveTo(session, now), clock: undefined };
}

/**
 * The same unit of work at the present instant of the database's clock, in whole milliseconds. Call it after the last
 * lock: a deadline may have passed during the wait. A session with a chosen instant keeps it. The present of locked
 * subscriptions is never earlier than their last change, also where the clock was set back.
 */
export async function atPresent(
  session: Session,
  locked: readonly (Acted | null)[] = [],
): Promise<Session> {
  const { clock } = session;
  if (!clock) return session;
  const [{ now }] = (await statement<{ now: Date | string }>(
    session.em,
    'present',
    `select date_trunc('milliseconds', clock_timestamp()) as now`,
    [],
  )) as [{ now: Date | string }];
  const present = locked.reduce((at, one) => later(one?.updatedAt, at), new Date(now));
  if (present > clock.latest) clock.latest = present;
  return moveTo(session, present);
}

/** A row that was last changed at an instant. */
interface Acted {
  readonly updatedAt: Date;
}

function moveTo(session: Session, now: Date): Session {
  session.em.setFilterParams('tenant', { ...scopeOf(session.em), now });
  return { ...session, now };
}

/**
 * The same unit of work at the time of a test clock. The lock on the clock makes a request that advances it wait
 * until the transaction ends. Without a clock the session keeps its own time. Errors: NOT_FOUND.
 */
export async function atTestClock(session: Session, testClockId: string | null): Promise<Session> {
  if (testClockId === null) return session;
  const { frozenTime } = await session.em.findOneOrFail(TestClock, testClockId, {
    lockMode: LockMode.PESSIMISTIC_READ,
    refresh: true,
  });
  return atInstant(session, frozenTime);
}
