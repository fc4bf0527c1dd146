import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { instantInput, nameInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';

export const createTestClockInput = z.object({
  testClock: z.object({ name: nameInput.nullish(), frozenTime: instantInput }),
});

/** Creates a clock that does not move until it is advanced. Errors: BAD_REQUEST in live mode. */
export function createTestClock(
  session: Session,
  { testClock: { name, frozenTime } }: z.output<typeof createTestClockInput>,
): Promise<TestClock> {
  refuseLiveMode(session);
  return command(session, async ({ em }) =>
    em.create(TestClock, { name: name ?? null, frozenTime, advancingTo: null }),
  );
}

/** Refuses the live mode, where customers pay in real time. */
function refuseLiveMode({ livemode }: Session) {
  if (livemode)
    throw invalid(
      'NOT_ALLOWED',
      'testClock',
      'is allowed in test mode only: use an API key of test mode',
    );
}
