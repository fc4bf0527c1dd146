import fc from 'fast-check';
import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { cancelScheduledAdjustment } from '#domain/subscriptions/commands/subscription-adjustments/cancel-scheduled-adjustment.ts';
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
  /** Days from the start until the item is added. */
  from: fc.integer({ min: 0, max: 20 }),
  /** Hours of its trial. */
  hours: fc.integer({ min: 1, max: 1_200 }),
  quantity: fc.integer({ min: 1, max: 3 }),
  /** Days of the trial of the subscription. */
  trialDays: fc.constantFrom(0, 0, 15),
  /** The change after the item was added, and the days until it. */
  change: fc.constantFrom(
    'none',
    'quantity',
    'remove',
    'readd',
    'interval',
    'unschedule',
    'pause',
    'cancel',
  ),
  after: fc.integer({ min: 0, max: 40 }),
  /** The days of each move of the clock, where it is advanced in short ones. */
  move: fc.integer({ min: 2, max: 15 }),
});

type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

async function live(
  session: Session,
  [priceId, longer]: readonly string[],
  life: Script,
  move: number | null,
) {
  const { from, hours, quantity, trialDays, change, after } = life;
  const { id, clockId } = await aTimedSubscription(session, {
    from: '2026-01-01',
    unitPrice: 1_000,
    paid: true,
    ...(trialDays > 0 && { trialEnd: new Date(start + trialDays * day) }),
  });
  let now = start;
  const moveTo = async (to: number) => {
    for (let at = now + (move ?? 0) * day; move && at < to; at += move * day)
      await advance(session, clockId, new Date(at).toISOString());
    if (to > now) await advance(session, clockId, new Date(to).toISOString());
    now = Math.max(now, to);
  };
  const adjust = async (items: readonly object[], isLater = false) => {
    const of = { subscription: id, expiredAt: null };
    const present = await fresh(session).em.find(SubscriptionItem, of, {
      orderBy: { position: 'asc' },
    });
    const newSubscriptionItems = items.map((item, place) => ({ id: present[place]?.id, ...item }));
    await adjustSubscription(fresh(session), {
      id,
      adjustment: {
        timing: isLater ? 'at_end_of_current_billing_period' : 'immediately',
        newSubscriptionItems,
      },
    });
  };
  await moveTo(start + from * day);
  const trialEnd = new Date(now + hours * 3_600_000);
  await adjust([{}, { priceId, quantity, trialEnd }]);
  await moveTo(now + after * day);
  if (change === 'quantity') await adjust([{}, { quantity: quantity + 1 }]);
  if (change === 'remove' || change === 'readd') await adjust([{}]);
  if (change === 'readd') await adjust([{}, { priceId, quantity }]);
  if (change === 'interval') await adjust([{}, { id: null, priceId: longer, quantity: 1 }]);
  if (change === 'unschedule') {
    await adjust([{}], true);
    await cancelScheduledAdjustment(fresh(session), { id });
  }
  if (change === 'pause')
    await pauseSubscription(fresh(session), {
      id,
      pause: { timing: 'immediately', resumesAt: new Date(now + 25 * day) },
    });
  if (change === 'cancel')
    await cancelSubscription(fresh(session), { id, cancellation: { timing: 'immediately' } });
  await moveTo(start + 130 * day);
  return linedInvoicesOf(session, id);
}

test('an item with a trial is billed alike however the clock advances, and at most once for each period', async ({
  session,
}) => {
  const monthly = await aPriceOf(session, { unitPrice: 3_100 });
  const longer = await aPriceOf(session, { unitPrice: 9_300, intervalCount: 2 });
  const prices = [monthly, longer];
  await tried(
    'item-trials',
    fc.asyncProperty(script, async (life) => {
      const bills = await live(session, prices, life, null);
      expect(await live(session, prices, life, life.move)).toEqual(bills);
      const rests = bills.join(', ').match(/one_off \d+/g) ?? [];
      expect(rests.length).toBeLessThanOrEqual(1);
    }),
    { cases: 2, milliseconds: 4_000 },
  );
  await expectMoneyToAgree(fresh(session));
});
