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
    /** What time it is for the customers of this clock. */
    frozenTime: instant(),
    status: p.enum(testClockStatuses).default('ready'),
    /** Where it is on its way to; null while it stands still. */
    advancingTo: instant().nullable(),
  },
});

/** A time of its own for some customers, which moves only when it is told to. Test mode only. */
export class TestClock extends TestClockSchema.class {
  /** Sets out for an instant. */
  setOut(to: Date) {
    this.status = 'advancing';
    this.advancingTo = to;
  }

  /** Has come as far as `at`, on its way still: more may be due at the very instant. */
  reach(at: Date) {
    if (at > this.frozenTime) this.frozenTime = at;
  }

  /** Stops where it was sent. */
  arrive() {
    if (this.advancingTo) this.reach(this.advancingTo);
    this.status = 'ready';
    this.advancingTo = null;
  }
}
TestClockSchema.setClass(TestClock);
