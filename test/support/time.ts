import type { Session } from '#domain/kernel/session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { TestClock } from '#domain/model/platform/test-clock.ts';
import { eventsPage } from '#domain/platform/commands/events/read-events.ts';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import { aCustomer, aTestClock, fresh } from './factories.ts';

/** Ten o’clock on a day, for example `at('2026-01-31')`. */
export const at = (day: string) => new Date(`${day}T10:00:00Z`);

export interface Clocked {
  readonly clock: TestClock;
  readonly customer: Customer;
}

/** A customer on the free plan whose clock does not move. */
export async function aClockedCustomer(session: Session, now = at('2026-01-31')): Promise<Clocked> {
  const clock = await aTestClock(session, now);
  return { clock, customer: await aCustomer(session, { testClockId: clock.id }) };
}

export const advance = (session: Session, { clock }: Pick<Clocked, 'clock'>, to: Date) =>
  advanceTestClock(fresh(session), { id: clock.id, frozenTime: to });

/** The events of a customer, in the order of the feed, without the events in `told`. */
export async function eventsOf(session: Session, { id }: Customer, told: readonly object[] = []) {
  const page = await eventsPage(fresh(session), { customerId: id, first: 100 });
  return page.edges.map(({ node }) => node).slice(told.length);
}
