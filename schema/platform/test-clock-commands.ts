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
import { builder } from '../engine/builder.ts';
import { fieldMarks } from '../engine/extensions.ts';
import { nullable, time } from '../engine/fields.ts';
import { payload } from '../engine/payload.ts';
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

builder.mutationFields((t) => ({
  createTestClock: t.field({
    type: payload('createTestClock', TestClock, 'The new clock.'),
    description:
      'Creates a test clock, whose time is frozen until it is advanced. Errors: BAD_REQUEST in live mode.',
    args: {
      testClock: t.arg({ type: CreateTestClock, required: true, description: 'The clock.' }),
    },
    validate: { schema: createTestClockInput },
    resolve: (_root, args, session) => createTestClock(session, args),
  }),
  advanceTestClock: t.field({
    type: payload('advanceTestClock', TestClock, 'The advanced clock.'),
    extensions: fieldMarks({ inSteps: true, takesLong: true }),
    description:
      'Advances a test clock and executes all due work in order, each at its own time. Responds when the clock has arrived, or after 20 seconds with the status `advancing`. The clock then continues by itself. Errors: NOT_FOUND; BAD_REQUEST for an earlier time.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the clock.' }),
      frozenTime: t.arg({ type: 'Timestamp', required: true, description: 'The target time.' }),
    },
    validate: { schema: advanceTestClockInput },
    resolve: (_root, args, session) =>
      advanceTestClock(session, args, AbortSignal.timeout(patienceMilliseconds)),
  }),
  deleteTestClock: t.field({
    type: payload('deleteTestClock', TestClock, 'The deleted clock.'),
    description:
      'Deletes a test clock with its customers and all their records; the feed keeps their events. Returns the clock as it was. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of the clock.' }) },
    validate: { schema: deleteTestClockInput },
    resolve: (_root, args, session) => deleteTestClock(session, args),
  }),
}));
