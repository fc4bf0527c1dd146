import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, instant, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';

export const testClockStatuses = ['ready', 'advancing'] as const;

const TestClockSchema = defineEntity({
  name: 'TestClock',
  indexes: [
    pageIndex('test_clock'),
    { name: 'test_clock_advancing', properties: ['id'], where: { status: 'advancing' } },
  ],
  checks: checksOf({
    test_clock_test_mode: 'not livemode',
    test_clock_target: `(status = 'advancing') = (advancing_to is not null) and advancing_to >= frozen_time`,
  }),
  properties: {
    ...tenantColumns('test_clock'),
    name: p.string().nullable(),
    /** The present time of the customers of this clock. */
    frozenTime: instant(),
    status: p.enum(testClockStatuses).default('ready'),
    /** The target of an advance; null while the clock does not move. */
    advancingTo: instant().nullable(),
  },
});

/** A clock for some customers that moves only when it is advanced. Test mode only. */
export class TestClock extends TestClockSchema.class {
  /** Starts an advance to an instant. */
  setOut(to: Date) {
    this.status = 'advancing';
    this.advancingTo = to;
  }

  /** Moves the clock to `at` within an advance: more work may be due at the same instant. */
  reach(at: Date) {
    if (at > this.frozenTime) this.frozenTime = at;
  }

  /** Ends an advance at its target. */
  arrive() {
    if (this.advancingTo) this.reach(this.advancingTo);
    this.status = 'ready';
    this.advancingTo = null;
  }
}
TestClockSchema.setClass(TestClock);
