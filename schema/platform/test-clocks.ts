import { TestClock, testClockStatuses } from '#domain/model/platform/test-clock.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { nullable, of, time } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { record } from '../engine/types.ts';
import { byEnum, byText, byTime } from '../engine/where.ts';

const TestClockStatus = builder.enumType('TestClockStatus', {
  description: 'The status of a test clock.',
  values: described(testClockStatuses, {
    ready: 'The clock’s time is frozen.',
    advancing: 'The clock is executing due work on the way to its target time.',
  }),
});

record(TestClock, {
  description:
    'A simulated time for some customers, which advances only on request. Test clocks exist in test mode only.',
  fields: () => ({
    name: nullable.text('The display name.'),
    frozenTime: time('The present time of the clock’s customers.'),
    status: of(TestClockStatus, 'The status: ready or advancing.'),
    advancingTo: nullable.time('The target time; null unless the clock is advancing.'),
  }),
});

readable({
  one: 'testClock',
  many: 'testClocks',
  noun: 'test clock',
  entity: TestClock,
  where: {
    name: byText('name', 'The display name.'),
    status: byEnum(TestClockStatus, 'status', 'The status.'),
    frozenTime: byTime('frozenTime', 'The present time of the clock’s customers.'),
  },
  orders: {
    name: { property: 'name', kind: 'text', nullable: true, words: 'name' },
    frozen_time: { property: 'frozenTime', kind: 'time', words: 'present time' },
  },
});
