import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { instantInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import { firstStep } from '#domain/platform/idempotency/first-step.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { countAllAcceptedUsage } from '#domain/recording/inbox/count-accepted-usage.ts';
import { type Due, nextDue } from './next-due.ts';

export const advanceTestClockInput = z.object({ id: z.string(), frozenTime: instantInput });

/**
 * Moves a clock forward: everything that becomes due on the way happens in order, each at its own instant. Returns
 * when the clock has arrived, or earlier when `signal` aborts the wait; the rest then happens in the background.
 * Errors: NOT_FOUND, always in live mode; BAD_REQUEST for an instant before the clock's own or before its present
 * target.
 */
export async function advanceTestClock(
  session: Session,
  { id, frozenTime }: z.output<typeof advanceTestClockInput>,
  signal?: AbortSignal,
): Promise<TestClock> {
  await firstStep(session, async ({ em }) => {
    const clock = await lockClock(em, id);
    const reached = clock.advancingTo ?? clock.frozenTime;
    if (frozenTime < reached) {
      throw invalid(
        'OUT_OF_RANGE',
        'frozenTime',
        `must not be before ${reached.toISOString()}: time goes forward only`,
      );
    }
    clock.setOut(frozenTime);
    return id;
  });
  return carryOn(session, id, signal);
}

/** Advances a clock to its target, one due instant after the other. Errors: NOT_FOUND. */
export async function carryOn(
  session: Session,
  id: string,
  signal?: AbortSignal,
): Promise<TestClock> {
  for (;;) {
    // Usage that was accepted before the clock moves counts before.
    await countAllAcceptedUsage(afresh(session));
    const next = await command(afresh(session), (session) => reachNext(session, id));
    // The customers of the clock are at that instant now.
    await next?.execute(afresh(session));
    if (!next || signal?.aborted) return afresh(session).em.findOneOrFail(TestClock, id);
  }
}

/** Moves the clock to the next due instant; without one, to its target. */
async function reachNext(session: Session, id: string): Promise<Due | undefined> {
  const clock = await lockClock(session.em, id);
  const target = clock.advancingTo;
  if (!target) return undefined;
  const next = await nextDue(session, id, target);
  if (next) clock.reach(next.at);
  else clock.arrive();
  return next;
}

const lockClock = (em: Session['em'], id: string) =>
  em.findOneOrFail(TestClock, id, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
