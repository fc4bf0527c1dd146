// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { phaseTimings, SubscriptionPhase } from '#domain/model/subscriptions/subscription-phase.ts';
import { createSubscriptionPhase } from '#domain/subscriptions/commands/subscription-phases/create-subscription-phase.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { aPriceOf } from '../../../support/factories.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { linedInvoicesOf } from '../../../support/records/one-off-charges.ts';
import { tried } from '../../../support/seeded.ts';
import { test } from '../../../support/test.ts';
import { advance, aTimedSubscription, fresh } from '../../../support/timeline.ts';

const day = 86_400_000;
const start = Date.parse('2026-01-01T10:00:00Z');

const script = fc.record({
  /** Days from the start, and the quantity of each of two prices from then on; 0 for none. */
  phases: fc.uniqueArray(
    fc.record({
      day: fc.integer({ min: 1, max: 120 }),
      one: fc.nat(2),
      other: fc.nat(2),
      timing: fc.constantFrom(...phaseTimings),
    }),
    { minLength: 1, maxLength: 4, selector: ({ day }) => day },
  ),
  change: fc.constantFrom('none', 'pause', 'cancel'),
  on: fc.integer({ min: 1, max: 90 }),
  /** The days of each move of the clock, where it is advanced in short ones. */
  move: fc.integer({ min: 3, max: 20 }),
});

type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

async function live(session: Session, priceIds: readonly string[], life: Script, move?: number) {
  const { phases, change, on } = life;
  const [one = '', other = ''] = priceIds;
  const { id, clockId } = await aTimedSubscription(session, {
    from: '2026-01-01',
    priceId: one,
    paid: true,
  });
  let now = start;
  const moveTo = async (to: number) => {
    for (let at = now + (move ?? 0) * day; move && at < to; at += move * day)
      await advance(session, clockId, new Date(at).toISOString());
    if (to > now) await advance(session, clockId, new Date(to).toISOString());
    now = Math.max(now, to);
  };
  for (const phase of phases) {
    const items = [
      { priceId: one, quantity: phase.one },
      { priceId: other, quantity: phase.other },
    ].filter(({ quantity }) => quantity > 0);
    const startsAt = new Date(start + phase.day * day);
    if (items.length > 0)
      await createSubscriptionPhase(fresh(session), {
        subscriptionPhase: { subscriptionId: id, startsAt, timing: phase.timing, items },
      });
  }
  await moveTo(start + on * day);
  if (change === 'pause')
    await pauseSubscription(fresh(session), {
      id,
      pause: { timing: 'immediately', resumesAt: new Date(now + 40 * day) },
    });
  if (change === 'cancel')
    await cancelSubscription(fresh(session), { id, cancellation: { timing: 'immediately' } });
  await moveTo(start + 160 * day);
  const of = { subscription: id };
  const order = { orderBy: { startsAt: 'asc' } } as const;
  const planned = await fresh(session).em.find(SubscriptionPhase, of, order);
  return {
    bills: await linedInvoicesOf(session, id),
    phases: planned.map(({ status, startedAt }) => [status, startedAt?.toISOString() ?? null]),
  };
}

test('phases start alike however the clock advances, and each at most once', async ({
  session,
}) => {
  const priceIds = [
    await aPriceOf(session, { unitPrice: 1_000 }),
    await aPriceOf(session, { unitPrice: 700 }),
  ];
  await tried(
    'phases',
    fc.asyncProperty(script, async (life) => {
      const long = await live(session, priceIds, life);
      expect(await live(session, priceIds, life, life.move)).toEqual(long);
      expect(long.phases.filter(([status]) => status === 'planned')).toEqual([]);
    }),
    { cases: 2, milliseconds: 4_000 },
  );
  await expectMoneyToAgree(fresh(session));
});
