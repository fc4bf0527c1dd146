import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '../command.ts';
import { invalid } from '../errors.ts';
import { instantInput } from '../inputs.ts';
import { openSession, type Session } from '../session.ts';
import { Subscription } from '../subscriptions/subscription.ts';
import { transitionSubscription } from '../subscriptions/transition-subscription.ts';
import { TestClock } from './test-clock.ts';

export const advanceTestClockInput = z.object({ id: z.string(), frozenTime: instantInput });

/**
 * Moves a clock forward: all that becomes due on the way happens in its order, each at its own instant.
 * Answers when the clock has arrived, or, on its way still, when `signal` says that it is enough; it is
 * then carried on in the background. Errors: NOT_FOUND; BAD_REQUEST for an instant before the clock's own or
 * before the one it is on its way to. In live mode there is no clock to be found.
 */
export async function advanceTestClock(
  session: Session,
  { id, frozenTime }: z.output<typeof advanceTestClockInput>,
  signal?: AbortSignal,
): Promise<TestClock> {
  await command(session, async ({ em }) => {
    const clock = await lockClock(em, id);
    const reached = clock.advancingTo ?? clock.frozenTime;
    if (frozenTime < reached) {
      throw invalid(
        'frozenTime',
        `must not be before ${reached.toISOString()}: time goes forward only`,
      );
    }
    clock.setOut(frozenTime);
  });
  return carryOn(session, id, signal);
}

/** Takes a clock to where it is on its way to, one due instant after the other. Errors: NOT_FOUND. */
export async function carryOn(
  session: Session,
  id: string,
  signal?: AbortSignal,
): Promise<TestClock> {
  for (;;) {
    const { em, apiKeyId, ...scope } = session;
    const step = openSession(em, scope, apiKeyId);
    const arrived = await command(step, (session) => nextStep(session, id));
    if (arrived || signal?.aborted) {
      return openSession(em, scope, apiKeyId).em.findOneOrFail(TestClock, id);
    }
  }
}

/** One thing that is due, in one transaction with the clock's hand. Answers whether the clock has arrived. */
async function nextStep(session: Session, id: string): Promise<boolean> {
  const { em } = session;
  const clock = await lockClock(em, id);
  const target = clock.advancingTo;
  if (!target) return true;
  const next = await em.findOne(
    Subscription,
    { testClockId: id, transitionDueAt: { $lte: target } },
    { orderBy: { transitionDueAt: 'asc', id: 'asc' } },
  );
  clock.reach(next?.transitionDueAt ?? target);
  await em.flush();
  if (next) await transitionSubscription(session, next.id);
  return clock.status === 'ready' && !next;
}

const lockClock = (em: Session['em'], id: string) =>
  em.findOneOrFail(TestClock, id, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
