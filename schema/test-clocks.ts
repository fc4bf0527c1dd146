import { advanceTestClock, advanceTestClockInput } from '#domain/test-clocks/advance-test-clock.ts';
import { createTestClock, createTestClockInput } from '#domain/test-clocks/create-test-clock.ts';
import { deleteTestClock, deleteTestClockInput } from '#domain/test-clocks/delete-test-clock.ts';
import { TestClock, testClockStatuses } from '#domain/test-clocks/test-clock.ts';
import { builder } from './engine/builder.ts';
import { fieldMarks } from './engine/extensions.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

/** Shorter than an operation may take: what is left then is done in the background. */
const patienceMilliseconds = 20_000;

const TestClockStatus = builder.enumType('TestClockStatus', {
  description: 'Whether a test clock stands still (ready) or is on its way (advancing).',
  values: testClockStatuses,
});

builder.node(TestClock, {
  name: 'TestClock',
  description:
    'A time of its own for some customers, which moves only when it is told to. Test mode only.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`test_clock_…`' },
  loadOne: (id, { em }) => em.findOne(TestClock, id),
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: 'The name for people.' }),
    frozenTime: t.expose('frozenTime', {
      type: 'Timestamp',
      description: 'What time it is for the customers of this clock.',
    }),
    status: t.expose('status', { type: TestClockStatus, description: 'Whether it stands still.' }),
    advancingTo: t.expose('advancingTo', {
      type: 'Timestamp',
      nullable: true,
      description: 'Where it is on its way to; null while it stands still.',
    }),
  }),
});

readable({ one: 'testClock', many: 'testClocks', noun: 'test clock', entity: TestClock });

const CreateTestClock = builder.inputType('CreateTestClockInput', {
  description: 'A new test clock.',
  fields: (t) => ({
    name: t.string({ description: 'The name for people.' }),
    frozenTime: t.field({
      type: 'Timestamp',
      required: true,
      description: 'What time it is to be, in the past or in the future.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createTestClock: t.field({
    type: TestClock,
    description:
      'Makes a clock that stands still until it is advanced. Errors: BAD_REQUEST in live mode.',
    args: {
      testClock: t.arg({ type: CreateTestClock, required: true, description: 'The clock.' }),
    },
    validate: { schema: createTestClockInput },
    resolve: (_root, args, session) => createTestClock(session, args),
  }),
  advanceTestClock: t.field({
    type: TestClock,
    extensions: fieldMarks({ inSteps: true, takesLong: true }),
    description:
      'Moves a clock forward: all that becomes due on the way happens in its order, each at its own instant. Answers when the clock has arrived, or after 20 seconds with the status advancing; it then goes on by itself. Errors: NOT_FOUND; BAD_REQUEST for going back.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the clock.' }),
      frozenTime: t.arg({ type: 'Timestamp', required: true, description: 'Where to.' }),
    },
    validate: { schema: advanceTestClockInput },
    resolve: (_root, args, session) =>
      advanceTestClock(session, args, AbortSignal.timeout(patienceMilliseconds)),
  }),
  deleteTestClock: t.field({
    type: TestClock,
    description:
      'Removes a clock with its customers and all that they have; the feed keeps what happened. Answers the clock as it was. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of the clock.' }) },
    validate: { schema: deleteTestClockInput },
    resolve: (_root, args, session) => deleteTestClock(session, args),
  }),
}));
