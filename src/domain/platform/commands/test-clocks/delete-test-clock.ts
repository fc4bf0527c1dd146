import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Mail } from '#domain/model/mail/mail.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import { deleteUsageEvents } from '#domain/recording/delete-usage-events.ts';

export const deleteTestClockInput = z.object({ id: z.string() });

/**
 * Deletes a clock with its customers and all their records; the feed keeps their events. Returns the clock as it was.
 * Errors: NOT_FOUND.
 */
export function deleteTestClock(
  session: Session,
  { id }: z.output<typeof deleteTestClockInput>,
): Promise<TestClock> {
  return command(session, async (session) => {
    const { em } = session;
    const clock = await em.findOneOrFail(TestClock, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const customers = await em.find(Customer, { testClock: id }, { orderBy: { id: 'asc' } });
    const ids = customers.map(({ id }) => id);
    if (ids.length > 0) await deleteUsageEvents(session, ids);
    await em.nativeDelete(Mail, { customerId: { $in: ids } });
    em.remove([...customers, clock]);
    return clock;
  });
}
