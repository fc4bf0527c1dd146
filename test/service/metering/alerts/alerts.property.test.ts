import fc from 'fast-check';
import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import type { Alert } from '#domain/model/metering/alert.ts';
import { recordUsageEvent } from '#domain/recording/commands/usage-events/record-usage-event.ts';
import { anAlert, crossingsOf } from '../../../support/alerts.ts';
import { effort } from '../../../support/effort.ts';
import { seeded } from '../../../support/seeded.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';
import { advance, fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription, grant, use, voidEvent } from '../../../support/usage.ts';

const amount = fc.integer({ min: 1, max: 60 });
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('use' as const),
      amounts: fc.array(amount, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('crowd' as const),
      amounts: fc.array(amount, { minLength: 2, maxLength: 8 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('void' as const), place: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('grant' as const), amount }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('next period' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const price = 3;

/** One alert as an independent model sees it: how often it was reached, and whether it still is. */
class Model {
  count = 0;
  isReached = false;
  readonly reaches: (state: State) => boolean;
  readonly startsAnew: boolean;

  constructor(reaches: (state: State) => boolean, startsAnew: boolean) {
    this.reaches = reaches;
    this.startsAnew = startsAnew;
  }

  compare(state: State) {
    const now = this.reaches(state);
    if (now && !this.isReached) this.count += 1;
    this.isReached = now;
  }
}

/** The usage of the present period, and the credits that it may use. */
interface State {
  readonly used: number;
  readonly credits: number;
}

const months = ['2026-03-01', '2026-04-01', '2026-05-01', '2026-06-01', '2026-07-01', '2026-08-01'];

test('whatever is used, voided and granted, each crossing begins and ends once', async ({
  database,
}) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 5, maxLength: 14 }),
      fc.tuple(amount, amount, amount),
      async (actions, [usage, spend, credits]) => {
        const { session } = await aTenant(database.orm.em);
        await live(session, actions, { usage: usage * 2, spend: spend * 5, credits });
      },
    ),
    seeded('alerts.property.test.ts', { numRuns: 3 * effort }),
  );
});

async function live(
  session: Session,
  actions: readonly Action[],
  thresholds: { usage: number; spend: number; credits: number },
) {
  const user = await aMeteredSubscription(session, { unitPrice: price, usageEventsPerUnit: 1 });
  let [used, credits, month] = [0, 0, 0];
  const watched: readonly (readonly [Alert, Model])[] = [
    [
      await anAlert(session, user, 'usage', thresholds.usage),
      new Model(({ used }) => used >= thresholds.usage, true),
    ],
    [
      await anAlert(session, user, 'spend', thresholds.spend),
      new Model(
        ({ used, credits }) => Math.max(0, used - credits) * price >= thresholds.spend,
        true,
      ),
    ],
    [
      await anAlert(session, user, 'credits', thresholds.credits),
      new Model(({ used, credits }) => credits - used <= thresholds.credits, false),
    ],
  ];
  let isKnown = false;
  const compare = () => {
    // Without a balance there is nothing to compare.
    if (!isKnown) return;
    for (const [, model] of watched) model.compare({ used, credits });
  };
  let events: { id: string; amount: number }[] = [];
  for (const one of actions) {
    switch (one.kind) {
      case 'use': {
        const recorded = await use(session, user, ...one.amounts);
        isKnown = true;
        events.push(...recorded.map(({ id, amount }) => ({ id, amount: Number(amount) })));
        used += one.amounts.reduce((sum, amount) => sum + amount, 0);
        break;
      }
      case 'crowd': {
        const recorded = await Promise.all(
          one.amounts.map((amount, place) =>
            recordUsageEvent(fresh(session), {
              usageEvent: {
                subscriptionId: user.id,
                usageMeterSlug: user.slug,
                amount: String(amount),
                transactionId: `crowd-${user.id}-${events.length}-${used}-${month}-${place}`,
              },
            }),
          ),
        );
        isKnown = true;
        events.push(
          ...recorded.map(({ usageEvent }) => ({
            id: usageEvent.id,
            amount: Number(usageEvent.amount),
          })),
        );
        used += one.amounts.reduce((sum, amount) => sum + amount, 0);
        break;
      }
      case 'void': {
        const [event] = events.splice(one.place % Math.max(1, events.length), 1);
        if (!event) continue;
        await voidEvent(session, event.id);
        used -= event.amount;
        break;
      }
      case 'grant':
        await grant(session, user, one.amount);
        isKnown = true;
        credits += one.amount;
        break;
      default: {
        const to = months[month];
        if (!to) continue;
        month += 1;
        await advance(session, user.clockId, to);
        credits = Math.max(0, credits - used);
        [used, events] = [0, []];
        for (const [, model] of watched) if (model.startsAnew) model.isReached = false;
        continue;
      }
    }
    compare();
  }
  for (const [alert, { count, isReached, startsAnew }] of watched) {
    const crossings = await crossingsOf(session, alert);
    const { kind } = alert;
    expect([kind, crossings.length], JSON.stringify(crossings)).toEqual([kind, count]);
    const open = crossings.filter((text) => !text.endsWith('ended'));
    if (startsAnew ? isReached : true) expect(open.length > 0).toBe(isReached);
  }
}
