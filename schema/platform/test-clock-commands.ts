import { TestClock } from '#domain/model/platform/test-clock.ts';
import {
  advanceTestClock,
  advanceTestClockInput,
} from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import {
  createTestClock,
  createTestClockInput,
} from '#domain/platform/commands/test-clocks/create-test-clock.ts';
import {
  deleteTestClock,
  deleteTestClockInput,
} from '#domain/platform/commands/test-clocks/delete-test-clock.ts';
import { id, nullable, of, time } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';

/** Shorter than the time limit of an operation: the remaining work continues in the background. */
const patienceMilliseconds = 20_000;

const CreateTestClock = input('CreateTestClockInput', {
  description: 'A new test clock.',
  fields: {
    name: nullable.text('The display name.'),
    frozenTime: time('The initial time, in the past or in the future.'),
  },
});

mutation('createTestClock', {
  returns: [TestClock, 'The new clock.'],
  description:
    'Creates a test clock, whose time is frozen until it is advanced. Errors: BAD_REQUEST in live mode.',
  args: { testClock: of(CreateTestClock, 'The clock.') },
  input: createTestClockInput,
  command: createTestClock,
});

mutation('advanceTestClock', {
  returns: [TestClock, 'The advanced clock.'],
  extensions: { inSteps: true, takesLong: true },
  description:
    'Advances a test clock and executes all due work in order, each at its own time. Responds when the clock has arrived, or after 20 seconds with the status `advancing`. The clock then continues by itself. Errors: NOT_FOUND; BAD_REQUEST for an earlier time.',
  args: {
    id: id('The id of the clock.'),
    frozenTime: time('The target time.'),
  },
  input: advanceTestClockInput,
  command: (session, args) =>
    advanceTestClock(session, args, AbortSignal.timeout(patienceMilliseconds)),
});

mutation('deleteTestClock', {
  returns: [TestClock, 'The deleted clock.'],
  description:
    'Deletes a test clock with its customers and all their records; the feed keeps their events. Returns the clock as it was. Errors: NOT_FOUND.',
  args: { id: id('The id of the clock.') },
  input: deleteTestClockInput,
  command: deleteTestClock,
});
