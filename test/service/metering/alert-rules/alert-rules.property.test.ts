// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { applyAlertRules } from '#domain/metering/commands/alert-rules/apply-alert-rules.ts';
import { createAlertRule } from '#domain/metering/commands/alert-rules/create-alert-rule.ts';
import { updateAlertRule } from '#domain/metering/commands/alert-rules/update-alert-rule.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { crossingsOf } from '../../../support/alerts.ts';
import { effort } from '../../../support/effort.ts';
import { seeded } from '../../../support/seeded.ts';
import { aTenant } from '../../../support/tenant.ts';
import { testAlone } from '../../../support/test.ts';
import { advance, fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription, use } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const price = 2;
const percentages = [50];
const most = { pages: 10, pageSize: 2 };
const months = ['2026-03-01', '2026-04-01', '2026-05-01', '2026-06-01'];

const place = fc.nat(9);
const action = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kind: 'join' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('use' as const),
      place,
      amounts: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('next period' as const), place }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      threshold: fc.integer({ min: 20, max: 200 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'stop' as const }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** A customer as an independent model sees it: its spend in the period, and the crossings that must have begun. */
class Person {
  spend = 0;
  month = 0;
  /** The percentages that are reached in the present period, each with the threshold for which it was. */
  reached = new Map<number, number>();
  readonly begun: string[] = [];
  readonly user: Awaited<ReturnType<typeof aMeteredSubscription>>;

  constructor(user: Person['user']) {
    this.user = user;
  }

  compare(threshold: number) {
    for (const percentage of [...percentages, 100]) {
      const wanted = (threshold * percentage) / 100;
      const isReached = this.spend >= wanted;
      // A new threshold ends the crossing of the former one.
      if (this.reached.get(percentage) !== wanted) this.reached.delete(percentage);
      if (!isReached || this.reached.has(percentage)) continue;
      this.reached.set(percentage, wanted);
      this.begun.push(`${this.spend} of ${wanted}`);
    }
  }
}

test('each threshold of a rule triggers once for each customer and period, also of those that join', async ({
  database,
}) => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 6, maxLength: 14 }), async (actions) => {
      const { session } = await aTenant(database.orm.em);
      await live(session, actions);
    }),
    seeded('alert-rules.property.test.ts', { numRuns: 3 * effort }),
  );
});

async function live(session: Session, actions: readonly Action[]) {
  const join = async () =>
    new Person(await aMeteredSubscription(session, { unitPrice: price, usageEventsPerUnit: 1 }));
  const people = [await join(), await join()];
  const { id } = await createAlertRule(fresh(session), {
    alertRule: { kind: 'spend', threshold: '100', percentages },
  });
  let [threshold, isActive] = [100, true];
  await apply(session);
  const change = async (alertRule: { threshold?: string; active?: boolean }) => {
    await updateAlertRule(fresh(session), { id, alertRule });
    await Promise.all([apply(session), apply(session)]);
  };
  for (const one of actions) {
    const person = 'place' in one ? people[one.place % people.length] : undefined;
    switch (one.kind) {
      case 'join':
        people.push(await join());
        break;
      case 'use':
        // All at once: together they begin one crossing.
        if (!person) continue;
        await use(session, person.user, ...one.amounts);
        person.spend += one.amounts.reduce((sum, amount) => sum + amount, 0) * price;
        if (isActive) person.compare(threshold);
        break;
      case 'next period': {
        const to = person && months[person.month];
        if (!to) continue;
        await advance(session, person.user.clockId, to);
        person.month += 1;
        person.spend = 0;
        person.reached.clear();
        break;
      }
      case 'change':
        threshold = one.threshold;
        isActive = true;
        await change({ threshold: String(threshold), active: true });
        for (const each of people) each.compare(threshold);
        break;
      default:
        isActive = false;
        await change({ active: false });
        for (const each of people) each.reached.clear();
    }
  }
  for (const { user, begun } of people) {
    const alert = await fresh(session).em.findOne(Alert, { rule: id, customer: user.customerId });
    // Customers that join while the rule is stopped have no alert.
    const found = alert ? await crossingsOf(session, alert) : [];
    expect(found.map((text) => text.replace(' ended', ''))).toEqual(begun);
  }
}

const apply = ({ em, now }: Session) =>
  applyAlertRules(
    em.fork(),
    now,
    'apply-alert-rules',
    (error) => {
      throw error;
    },
    most,
  );
