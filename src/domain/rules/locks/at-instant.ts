import { LockMode } from '@mikro-orm/core';
import { type Session, scopeOf } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { TestClock } from '#domain/test-clocks/test-clock.ts';

/**
 * The same unit of work at another instant: for what it decides, for the rows that it writes and for the
 * events that tell of them. To be used within a transaction, whose EntityManager is its own.
 */
export function atInstant(session: Session, now: Date): Session {
  return { ...moveTo(session, now), clock: undefined };
}

/**
 * The same unit of work at the present instant by the database's clock, in whole milliseconds. To be called when
 * the locks have been taken: the wait for them may have lasted past the end of something. A session whose instant
 * was chosen keeps it.
 */
export async function atPresent(session: Session): Promise<Session> {
  const { clock } = session;
  if (!clock) return session;
  const [{ now }] = (await statement<{ now: Date | string }>(
    session.em,
    'present',
    `select date_trunc('milliseconds', clock_timestamp()) as now`,
    [],
  )) as [{ now: Date | string }];
  const present = new Date(now);
  if (present > clock.latest) clock.latest = present;
  return moveTo(session, present);
}

function moveTo(session: Session, now: Date): Session {
  session.em.setFilterParams('tenant', { ...scopeOf(session.em), now });
  return { ...session, now };
}

/**
 * The same unit of work by a test clock, which stands still until the transaction ends: whoever moves it
 * waits. Without a clock the session's own time holds. Errors: NOT_FOUND.
 */
export async function atTestClock(session: Session, testClockId: string | null): Promise<Session> {
  if (testClockId === null) return session;
  const { frozenTime } = await session.em.findOneOrFail(TestClock, testClockId, {
    lockMode: LockMode.PESSIMISTIC_READ,
    refresh: true,
  });
  return atInstant(session, frozenTime);
}
