import { TestClock, testClockStatuses } from '#domain/model/platform/test-clock.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { byEnum, byText, byTime } from '../engine/where.ts';

const TestClockStatus = builder.enumType('TestClockStatus', {
  description: 'The status of a test clock.',
  values: described(testClockStatuses, {
    ready: 'The clock’s time is frozen.',
    advancing: 'The clock is executing due work on the way to its target time.',
  }),
});

builder.node(TestClock, {
  name: 'TestClock',
  description:
    'A simulated time for some customers, which advances only on request. Test clocks exist in test mode only.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('test_clock'),
  loadOne: loadOne(TestClock),
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: 'The display name.' }),
    frozenTime: t.expose('frozenTime', {
      type: 'Timestamp',
      description: 'The present time of the clock’s customers.',
    }),
    status: t.expose('status', {
      type: TestClockStatus,
      description: 'The status: ready or advancing.',
    }),
    advancingTo: t.expose('advancingTo', {
      type: 'Timestamp',
      nullable: true,
      description: 'The target time; null unless the clock is advancing.',
    }),
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
