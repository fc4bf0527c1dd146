// @module-tag long
import { describe, expect } from 'vitest';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { transitionSubscription } from '#domain/subscriptions/lifecycle/transition-subscription.ts';
import { anAdjustable, shown } from '../../../support/adjustments.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { test } from '../../../support/test.ts';

type Adjustable = Awaited<ReturnType<typeof anAdjustable>>;

const active = async (it: Adjustable) =>
  shown((await it.items()).filter(({ expiredAt }) => expiredAt === null));
const paid = async (it: Adjustable) =>
  (await it.charges()).reduce(
    (sum, { amount, status }) => sum + (status === 'succeeded' ? amount : 0),
    0,
  );
const outcomes = (results: PromiseSettledResult<unknown>[]) => results.map(({ status }) => status);

describe('at the same time', () => {
  test('of several adjustments one follows the other or is refused; items and money are those of one', async ({
    session,
  }) => {
    const it = await anAdjustable(session);
    await it.toDay(15);
    const totals = [2_000, 3_000, 4_000, 5_000];
    const prices = [];
    for (const total of totals) prices.push(await it.monthly(total));
    const results = await Promise.allSettled(prices.map((priceId) => it.adjust([{ priceId }])));
    expect(outcomes(results)).toContain('fulfilled');
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'BAD_REQUEST' });
    }
    const items = await active(it);
    expect(items).toHaveLength(1);
    // The sum of all charges is at least the cost of the final plan, and at most that of the dearest one.
    const total = Number(items[0]?.split('×')[0]);
    expect(await paid(it)).toBeGreaterThanOrEqual(500 + total / 2);
    expect(await paid(it)).toBeLessThanOrEqual(500 + 5_000 / 2);
    await expectMoneyToAgree(session);
  });

  test('an adjustment and a cancellation come one after the other', async ({ session }) => {
    for (const timing of ['immediately', 'at_end_of_current_billing_period'] as const) {
      const it = await anAdjustable(session);
      const priceId = await it.monthly(2_000);
      const [adjusted, canceled] = await Promise.allSettled([
        it.adjust([{ priceId }]),
        cancelSubscription(it.fresh(), { id: it.id, cancellation: { timing } }),
      ]);
      const { status } = await it.current();
      if (canceled?.status === 'fulfilled') {
        expect(status).toBe(timing === 'immediately' ? 'canceled' : 'cancellation_scheduled');
      } else expect(status).toBe('active');
      expect(await paid(it)).toBe(adjusted?.status === 'fulfilled' ? 2_000 : 1_000);
      expect(await it.invoices()).toHaveLength(adjusted?.status === 'fulfilled' ? 2 : 1);
    }
    await expectMoneyToAgree(session);
  });

  test('an adjustment at the boundary belongs to one of the periods', async ({ session }) => {
    const it = await anAdjustable(session);
    const priceId = await it.monthly(2_000);
    await it.moveClockAlone(30);
    await Promise.all([
      it.adjust([{ priceId }]),
      transitionSubscription(it.fresh(), it.id),
      transitionSubscription(it.fresh(), it.id),
    ]);
    await it.toDay(31);
    expect(await paid(it)).toBe(3_000);
    expect(await active(it)).toEqual(['2000×1']);
    await expectMoneyToAgree(session);
  });

  test('a scheduled adjustment at the boundary is reverted or made, as a whole', async ({
    session,
  }) => {
    const it = await anAdjustable(session, { unitPrice: 2_000 });
    await it.adjust([{ priceId: await it.monthly(500) }], { timing: 'auto' });
    await it.moveClockAlone(30);
    const [canceled] = await Promise.allSettled([
      it.cancelScheduled(),
      transitionSubscription(it.fresh(), it.id),
    ]);
    await it.toDay(31);
    const total = canceled?.status === 'fulfilled' ? 2_000 : 500;
    expect(await active(it)).toEqual([`${total}×1`]);
    expect(await paid(it)).toBe(2_000 + total);
    await expectMoneyToAgree(session);
  });
});

describe('the very instants of a period', () => {
  test.for([
    ['start', 0, 1_000],
    ['first millisecond', 1 / 86_400_000, 1_000],
    ['last millisecond', 30 - 1 / 86_400_000, 0],
    ['end, which is the start of the next one', 30, 1_000],
  ] as const)(
    'at its %s an upgrade is charged for what is left',
    async ([, day, charge], { session }) => {
      const it = await anAdjustable(session);
      await it.toDay(day);
      const items = [{ priceId: await it.monthly(2_000) }];
      expect(await it.preview(items)).toMatchObject({ prorationAmount: charge });
      await it.adjust(items);
      await it.toDay(31);
      expect(await paid(it)).toBe(3_000 + (day === 30 ? 0 : charge));
      expect(await active(it)).toEqual(['2000×1']);
      await expectMoneyToAgree(session);
    },
  );
});
