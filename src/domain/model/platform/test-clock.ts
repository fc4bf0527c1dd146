import { defineEntity, p } from '@mikro-orm/core';
import { instant, tenantColumns } from '#domain/kernel/columns.ts';

export const testClockStatuses = ['ready', 'advancing'] as const;

const TestClockSchema = defineEntity({
  name: 'TestClock',
  indexes: [
    { name: 'test_clock_page', properties: ['pricingModelId', 'createdAt', 'position', 'id'] },
    { name: 'test_clock_advancing', properties: ['id'], where: { status: 'advancing' } },
  ],
  checks: [
    { name: 'test_clock_test_mode', expression: 'not livemode' },
    {
      name: 'test_clock_target',
      expression: `(status = 'advancing') = (advancing_to is not null) and advancing_to >= frozen_time`,
    },
  ],
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
