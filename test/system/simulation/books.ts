import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '#domain/kernel/session.ts';
import { fresh } from '../../support/factories.ts';
import { expectSameBooks } from '../../support/live/stripe-books.ts';
import type { StripeState } from '../../support/stripe/state.ts';
import type { Clocks } from './clocks.ts';

const pauseMilliseconds = 6_000;
const patienceMilliseconds = 60_000;

/**
 * Expects that the books are those of the processor. A fast clock makes a charge seem old that the books have not heard
 * of yet: such a difference must be gone after a later comparison.
 */
export async function expectComparedBooks(session: Session, stripe: StripeState, clocks: Clocks) {
  const { em } = fresh(session);
  for (let end = performance.now() + patienceMilliseconds; performance.now() < end; ) {
    const open = await em.execute('select from processor_difference where resolved_at is null');
    if (open.length === 0) break;
    await clocks.compareBooks();
    await sleep(pauseMilliseconds);
  }
  await expectSameBooks(session, stripe);
}
