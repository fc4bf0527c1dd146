// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { bucketsOf } from '#domain/kernel/buckets.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { intervalUnits } from '#domain/model/catalog/price.ts';
import { mrrKinds } from '#domain/model/money/mrr-movement.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { mrrMovements } from '#domain/money/commands/statistics/mrr-movements.ts';
import { paymentRecovery } from '#domain/money/commands/statistics/payment-recovery.ts';
import { statisticIntervals } from '#domain/money/commands/statistics/statistic-input.ts';
import { subscriptionCounts } from '#domain/money/commands/statistics/subscription-counts.ts';
import { revenueTotals } from '#domain/platform/commands/organizations/revenue-totals.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import { deleteTestClock } from '#domain/platform/commands/test-clocks/delete-test-clock.ts';
import { nextDue } from '#domain/platform/commands/test-clocks/next-due.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { endTimings } from '#domain/subscriptions/commands/subscriptions/cancellation-input.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import {
  applyPlannedMrr,
  presentMrr,
} from '#domain/subscriptions/commands/subscriptions/present-mrr.ts';
import { withMrr } from '#domain/subscriptions/commands/subscriptions/subscription-conditions.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import { aCustomer, aPaymentMethod, aPriceOf, aTestClock } from '../../../support/factories.ts';
import { tried } from '../../../support/seeded.ts';
import {
  daysOf,
  movementsOf,
  recoveriesOf,
  type Snapshot,
  snapshot,
  statusesAt,
} from '../../../support/simulation/mrr-rows.ts';
import { aTenant } from '../../../support/tenant.ts';
import { testAlone } from '../../../support/test.ts';
import { fresh } from '../../../support/timeline.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const dayMilliseconds = 86_400_000;
const start = new Date('2026-01-10T10:00:00Z');

const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const who = fc.nat(1);
const price = fc.nat(2);
const quantity = fc.integer({ min: 1, max: 3 });
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('subscribe' as const),
      who,
      price,
      quantity,
      trialDays: rarely(fc.integer({ min: 1, max: 20 })),
      startsInDays: rarely(fc.integer({ min: -20, max: 20 })),
      doNotCharge: rarely(fc.constant(true)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      who,
      items: fc.array(fc.record({ price, quantity }), { minLength: 1, maxLength: 2 }),
      timing: fc.constantFrom('immediately' as const, 'at_end_of_current_billing_period' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('cancel' as const),
      who,
      timing: fc.constantFrom(...endTimings),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('uncancel' as const), who }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('card' as const),
      who,
      token: fc.constantFrom(
        'sandbox_success',
        'sandbox_success',
        'sandbox_decline_then_success',
        'sandbox_decline_insufficient_funds',
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      days: fc.integer({ min: 0, max: 40 }),
    }),
  },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const subscribed = {
  do: 'subscribe',
  trialDays: null,
  startsInDays: null,
  doNotCharge: null,
} as const;
/** Every history has movements of each kind. */
const alwaysFirst: readonly Action[] = [
  { ...subscribed, who: 0, price: 0, quantity: 2 },
  { ...subscribed, who: 1, price: 1, quantity: 1 },
  { do: 'advance', days: 1 },
  { do: 'adjust', who: 1, items: [{ price: 1, quantity: 3 }], timing: 'immediately' },
  { do: 'cancel', who: 0, timing: 'immediately' },
  { do: 'advance', days: 2 },
  { do: 'adjust', who: 1, items: [{ price: 1, quantity: 2 }], timing: 'immediately' },
  { ...subscribed, who: 0, price: 2, quantity: 1 },
];

const settings = fc.record({
  several: fc.boolean(),
  finalAction: fc.constantFrom('cancel' as const, 'unpaid' as const),
  intervals: fc.tuple(
    ...[0, 1, 2].map(() =>
      fc.record({
        intervalUnit: fc.constantFrom(...intervalUnits),
        intervalCount: fc.integer({ min: 1, max: 3 }),
      }),
    ),
  ),
});

test('movements, counts and recoveries agree with the rows, whatever customers do', async ({
  database,
}) => {
  const property = fc.asyncProperty(
    settings,
    fc.array(action, { minLength: 5, maxLength: 12 }),
    async ({ several, finalAction, intervals }, script) => {
      const { session } = await aTenant(database.orm.em);
      await updateOrganization(fresh(session), {
        organization: {
          allowMultipleSubscriptionsPerCustomer: several,
          dunningFinalAction: finalAction,
        },
      } as never);
      const clock = await aTestClock(session, start);
      const customers: string[] = [];
      for (let count = 0; count < 2; count++) {
        const { id } = await aCustomer(session, { testClockId: clock.id });
        await aPaymentMethod(session, id, { default: true });
        customers.push(id);
      }
      const prices: string[] = [];
      for (const [index, interval] of intervals.entries()) {
        // Short periods come several at a time, so that a script does not cross hundreds of boundaries.
        const intervalCount = interval.intervalCount + (interval.intervalUnit === 'day' ? 9 : 0);
        const count = interval.intervalUnit === 'day' ? 12 : intervalCount;
        prices.push(
          await aPriceOf(session, {
            unitPrice: [1_000, 777, 5_001][index] ?? 0,
            intervalUnit: interval.intervalUnit,
            intervalCount: count,
          }),
        );
      }
      const seen: Snapshot[] = [];
      let now = start.getTime();
      await look();
      for (const step of [...alwaysFirst, ...script]) {
        await carryOut(step).catch((error: unknown) => {
          if (!(error instanceof DomainError)) throw error;
        });
        await look();
      }
      const then = { ...session, now: new Date(now) };
      const input = { from: new Date(start.getTime() - dayMilliseconds), to: new Date(now + 1) };
      for (const interval of statisticIntervals) {
        const asked = { ...input, interval };
        const buckets = bucketsOf(asked);
        for (const byProduct of [false, true]) {
          const series = await mrrMovements(fresh(session, then.now), { ...asked, byProduct });
          const shown = series.map(({ productId, points }) => [productId ?? '', points] as const);
          const wanted = movementsOf(seen, buckets, byProduct);
          for (const [productId, points] of shown) {
            expect(points, `${interval} ${productId}`).toMatchObject(
              wanted.get(productId) ?? movementsOf([], buckets, false).get('') ?? [],
            );
            wanted.delete(productId);
          }
          const moved = [...wanted].filter(([, points]) =>
            points.some((point) => mrrKinds.some((kind) => point[kind] > 0)),
          );
          expect(moved).toEqual([]);
        }
        const { points: counts, present } = await subscriptionCounts(fresh(session), asked);
        expect(
          counts.map(({ counts }) =>
            Object.fromEntries(
              counts.filter(({ count }) => count !== 0).map(({ status, count }) => [status, count]),
            ),
          ),
        ).toEqual(statusesAt(seen, buckets));
        expect(present).toEqual(counts.at(-1)?.counts);
        const [recovery] = await paymentRecovery(fresh(session), asked);
        expect(recovery?.points).toMatchObject(await recoveriesOf(session, buckets));
      }
      const [series] = await mrrMovements(fresh(session, then.now), { ...input, interval: 'day' });
      const [totals] = await revenueTotals(fresh(session, then.now));
      expect(series?.points.at(-1)?.mrrAtEnd).toBe(totals?.mrr);

      await deleteTestClock(fresh(session), { id: clock.id });
      expect(await daysOf(session)).toEqual([]);

      async function carryOut(step: Action): Promise<unknown> {
        if (step.do === 'advance') return advance(now + step.days * dayMilliseconds);
        const customerId = customers[step.who] ?? '';
        if (step.do === 'card') {
          return aPaymentMethod(session, customerId, { token: step.token, default: true });
        }
        if (step.do === 'subscribe') {
          const { trialDays, startsInDays, doNotCharge } = step;
          const from = now + (startsInDays ?? 0) * dayMilliseconds;
          return createSubscription(fresh(session), {
            customerId,
            priceId: prices[step.price],
            quantity: step.quantity,
            doNotCharge,
            ...(startsInDays !== null && { startDate: new Date(from) }),
            ...(trialDays !== null && { trialEnd: new Date(from + trialDays * dayMilliseconds) }),
          });
        }
        const current = (await subscriptionsOf(session, customerId)).filter(
          ({ isTerminal, isFreePlan }) => !isTerminal && !isFreePlan,
        );
        const id = current.at(-1)?.id;
        if (!id) return undefined;
        if (step.do === 'uncancel') return uncancelSubscription(fresh(session), { id });
        const { timing } = step;
        if (step.do === 'cancel') {
          return cancelSubscription(fresh(session), { id, cancellation: { timing } });
        }
        const newSubscriptionItems = step.items.map(({ price, quantity }) => ({
          priceId: prices[price],
          quantity,
        }));
        const adjustment = { timing, newSubscriptionItems };
        return adjustSubscription(fresh(session), { id, adjustment });
      }

      /** Conditions on MRR select what the rows show, whether the job has stored planned changes or not. */
      async function expectStored(wanted: ReadonlyMap<string, number>, at: Date) {
        const asked = fresh(session, at);
        if (seen.length % 3 === 0) await applyPlannedMrr(asked.em, at);
        const limits = [1, ...wanted.values()];
        const limit = limits[seen.length % limits.length] ?? 1;
        const where = [{ min: limit }, { max: limit }, { min: limit, max: limit }][seen.length % 3];
        const found = await asked.em.fork().find(Subscription, withMrr(where ?? {}, '', asked));
        const { min = 0, max = Number.MAX_SAFE_INTEGER } = where as { min?: number; max?: number };
        expect(new Set(found.map(({ id }) => id)), JSON.stringify({ where, at })).toEqual(
          new Set([...wanted].filter(([, mrr]) => mrr >= min && mrr <= max).map(([id]) => id)),
        );
        const shown = await Promise.all([...wanted.keys()].map((id) => presentMrr(asked, id)));
        expect(shown).toEqual([...wanted.values()]);
      }

      /** Stops at every instant at which something is due, so that all states are seen. */
      async function advance(target: number) {
        for (;;) {
          const by = new Date(target);
          const due = await nextDue(fresh(session), clock.id, by);
          const planned = await nextPlanned(session, new Date(now), by);
          const at = Math.max(now, Math.min(due?.at.getTime() ?? target, planned ?? target));
          await advanceTestClock(fresh(session), { id: clock.id, frozenTime: new Date(at) });
          now = at;
          await look();
          if (at >= target) return;
        }
      }

      async function look() {
        const next = await snapshot(session, new Date(now));
        if (seen.at(-1)?.at === now) seen.pop();
        await expectStored(next.bySubscription, new Date(now));
        seen.push(next);
      }
    },
  );
  await tried('mrr.property.test.ts', property, { cases: 3, milliseconds: 4_000 });
});

const subscriptionsOf = (session: Session, customer: string) =>
  fresh(session).em.find(
    Subscription,
    { customer },
    { orderBy: { createdAt: 'asc', position: 'asc' } },
  );

/** The next instant at which an item begins or ends by its dates. */
async function nextPlanned({ em, pricingModelId }: Session, after: Date, by: Date) {
  const [row] = await em.fork().execute<{ at: string | null }[]>(
    `select extract(epoch from min(at)) * 1000 as at
     from (select added_date as at from subscription_item where pricing_model_id = ?
       union all select expired_at from subscription_item where pricing_model_id = ?) dates
     where at > ? and at <= ?`,
    [pricingModelId, pricingModelId, after, by],
  );
  return row?.at == null ? null : Number(row.at);
}
