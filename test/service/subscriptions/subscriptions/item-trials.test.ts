// @module-tag long
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import type { AdjustmentItem } from '#domain/subscriptions/adjusting/adjust-input.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { cancelScheduledAdjustment } from '#domain/subscriptions/commands/subscription-adjustments/cancel-scheduled-adjustment.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { resumeSubscription } from '#domain/subscriptions/commands/subscriptions/resume-subscription.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { aPaymentMethod, aPriceOf } from '../../../support/factories.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { linedInvoicesOf } from '../../../support/records/one-off-charges.ts';
import { test } from '../../../support/test.ts';
import { advance, aTimedSubscription, at, fresh } from '../../../support/timeline.ts';

/** A subscription at 10.00 a month, on a clock at January 1, and the price of an item at 31.00. */
async function aPlan(session: Session, more: object = {}) {
  const priceId = await aPriceOf(session, { unitPrice: 3_100 });
  const plan = await aTimedSubscription(session, {
    from: '2026-01-01',
    unitPrice: 1_000,
    paid: true,
    ...more,
  });
  const items = async () => {
    const of = { subscription: plan.id, expiredAt: null };
    return fresh(session).em.find(SubscriptionItem, of, { orderBy: { position: 'asc' } });
  };
  const adjust = async (newSubscriptionItems: AdjustmentItem[], timing = 'immediately') =>
    adjustSubscription(fresh(session), {
      id: plan.id,
      adjustment: { timing: timing as 'immediately', newSubscriptionItems },
    });
  /** Adds the item with a trial to the plan. */
  const add = async (trialEnd: string, quantity = 1) => {
    const [first] = await items();
    return adjust([{ id: first?.id }, { priceId, quantity, trialEnd: at(trialEnd) }]);
  };
  return { ...plan, priceId, items, adjust, add };
}

type Plan = Awaited<ReturnType<typeof aPlan>>;

describe('the trial of an item', () => {
  test('costs nothing until its end, and then the rest of the period on the next invoice', async ({
    session,
  }) => {
    const plan = await aPlan(session);
    await advance(session, plan.clockId, '2026-01-05');
    await plan.add('2026-01-16', 2);
    expect((await plan.items())[1]).toMatchObject({ pricedAmount: 0, quantity: 2 });
    const upcoming = await upcomingInvoice(fresh(session), plan.id);
    // 16 of 31 days of 62.00, and then whole periods.
    expect(upcoming?.lines.map(({ type, amount }) => [type, amount])).toEqual([
      ['static', 1_000],
      ['static', 6_200],
      ['one_off', 3_200],
    ]);
    await advance(session, plan.clockId, '2026-03-02');
    expect(await linedInvoicesOf(session, plan.id)).toEqual([
      'period paid 2026-01-01: static 1000',
      'period paid 2026-02-01: static 1000, static 6200, one_off 3200',
      'period paid 2026-03-01: static 1000, static 6200',
    ]);
    await expectMoneyToAgree(fresh(session));
  });

  test('spans periods, whose invoices show the item at 0', async ({ session }) => {
    const plan = await aPlan(session);
    await plan.add('2026-02-15');
    await advance(session, plan.clockId, '2026-03-02');
    expect(await linedInvoicesOf(session, plan.id)).toEqual([
      'period paid 2026-01-01: static 1000',
      'period paid 2026-02-01: static 1000, static 0',
      // 14 of 28 days of 31.00.
      'period paid 2026-03-01: static 1000, static 3100, one_off 1550',
    ]);
  });

  test('that ends with a period charges the next one only', async ({ session }) => {
    const plan = await aPlan(session);
    await plan.add('2026-02-01');
    await advance(session, plan.clockId, '2026-02-02');
    expect((await linedInvoicesOf(session, plan.id)).slice(1)).toEqual([
      'period paid 2026-02-01: static 1000, static 3100',
    ]);
  });

  test('follows the quantity, and a removal ends it without a charge', async ({ session }) => {
    const [more, gone] = [await aPlan(session), await aPlan(session)];
    for (const plan of [more, gone]) {
      await plan.add('2026-01-16');
      await advance(session, plan.clockId, '2026-01-10');
    }
    const [first, second] = await more.items();
    await more.adjust([{ id: first?.id }, { id: second?.id, quantity: 3 }]);
    const [only] = await gone.items();
    await gone.adjust([{ id: only?.id }]);
    for (const { clockId } of [more, gone]) await advance(session, clockId, '2026-02-02');
    expect((await linedInvoicesOf(session, more.id)).slice(1)).toEqual([
      'period paid 2026-02-01: static 1000, static 9300, one_off 4800',
    ]);
    expect((await linedInvoicesOf(session, gone.id)).slice(1)).toEqual([
      'period paid 2026-02-01: static 1000',
    ]);
    await expectMoneyToAgree(fresh(session));
  });

  test('that null ends is charged at once, for the rest of the period', async ({ session }) => {
    const plan = await aPlan(session);
    await plan.add('2026-03-01');
    await advance(session, plan.clockId, '2026-01-16');
    const [first, second] = await plan.items();
    await plan.adjust([{ id: first?.id }, { id: second?.id, trialEnd: null }]);
    await advance(session, plan.clockId, '2026-02-02');
    expect((await linedInvoicesOf(session, plan.id)).slice(1)).toEqual([
      'adjustment paid 2026-01-16: static 1600',
      'period paid 2026-02-01: static 1000, static 3100',
    ]);
    await expectMoneyToAgree(fresh(session));
  });

  test('within a trial of the subscription charges no rest, and within a pause that after it', async ({
    session,
  }) => {
    const priceId = await aPriceOf(session, { unitPrice: 3_100 });
    const tried = await aTimedSubscription(session, {
      from: '2026-01-01',
      paid: true,
      trialEnd: at('2026-01-20'),
      items: [{ priceId }, { priceId, trialEnd: at('2026-01-10') }],
      priceId: null,
    });
    const paused = await aPlan(session);
    await paused.add('2026-01-16');
    await pauseSubscription(fresh(session), {
      id: paused.id,
      pause: { timing: 'immediately', resumesAt: at('2026-01-20') },
    });
    for (const { clockId } of [tried, paused]) await advance(session, clockId, '2026-02-02');
    expect(await linedInvoicesOf(session, tried.id)).toEqual([
      'period paid 2026-01-20: static 3100, static 3100',
    ]);
    expect((await linedInvoicesOf(session, paused.id)).slice(1)).toEqual([
      // 12 of 31 days of 31.00, from the end of the pause on.
      'period paid 2026-02-01: static 1000, static 3100, one_off 1200',
    ]);
  });

  test('that has ended is billed at the end of the subscription; a running one is not', async ({
    session,
  }) => {
    const [ended, running] = [await aPlan(session), await aPlan(session)];
    await ended.add('2026-01-16');
    await running.add('2026-01-25');
    for (const { id, clockId } of [ended, running]) {
      await advance(session, clockId, '2026-01-20');
      await cancelSubscription(fresh(session), { id, cancellation: { timing: 'immediately' } });
      await advance(session, clockId, '2026-03-01');
    }
    expect((await linedInvoicesOf(session, ended.id)).slice(1)).toEqual([
      // 4 of 31 days of 31.00: those that it was used.
      'last_usage paid 2026-01-20: one_off 400',
    ]);
    expect((await linedInvoicesOf(session, running.id)).slice(1)).toEqual([]);
  });

  test('ends after a scheduled removal is canceled', async ({ session }) => {
    const plan = await aPlan(session);
    await plan.add('2026-02-01');
    const [first] = await plan.items();
    await plan.adjust([{ id: first?.id }], 'at_end_of_current_billing_period');
    await cancelScheduledAdjustment(fresh(session), { id: plan.id });
    await advance(session, plan.clockId, '2026-02-02');
    expect((await linedInvoicesOf(session, plan.id)).slice(1)).toEqual([
      'period paid 2026-02-01: static 1000, static 3100',
    ]);
  });

  test('that ends before the first payment charges the first period', async ({ session }) => {
    const priceId = await aPriceOf(session, { unitPrice: 3_100 });
    const { id, clockId, customerId } = await aTimedSubscription(session, {
      from: '2026-01-01',
      items: [{ priceId }, { priceId, trialEnd: at('2026-01-04') }],
      priceId: null,
    });
    await advance(session, clockId, '2026-01-05');
    await aPaymentMethod(session, customerId);
    await advance(session, clockId, '2026-02-06');
    expect(await linedInvoicesOf(session, id)).toEqual([
      'period paid 2026-01-05: static 3100, static 3100',
      'period paid 2026-02-05: static 3100, static 3100',
    ]);
  });

  test('leaves the days after a change of the plan to that change', async ({ session }) => {
    const plans = [
      await aPlan(session),
      await aPlan(session),
      await aPlan(session),
      await aPlan(session),
    ];
    const [yearly, readded, more, extended] = plans as [Plan, Plan, Plan, Plan];
    const yearlyPrice = await aPriceOf(session, { unitPrice: 37_200, intervalUnit: 'year' });
    for (const plan of plans) {
      await plan.add('2026-01-11');
      await advance(session, plan.clockId, '2026-01-16');
    }
    const change = async (plan: Plan, of: (ids: string[]) => AdjustmentItem[]) =>
      plan.adjust(of((await plan.items()).map(({ id }) => id)));
    await change(yearly, ([first]) => [{ id: first }, { priceId: yearlyPrice, quantity: 1 }]);
    await change(readded, ([first]) => [{ id: first }]);
    await change(more, ([first, second]) => [{ id: first }, { id: second, quantity: 2 }]);
    await change(extended, ([first, second]) => [
      { id: first },
      { id: second, trialEnd: at('2026-01-25') },
    ]);
    await advance(session, readded.clockId, '2026-01-21');
    await change(readded, ([first]) => [{ id: first }, { priceId: readded.priceId, quantity: 1 }]);
    await advance(session, more.clockId, '2026-01-21');
    await change(more, ([first, second]) => [{ id: first }, { id: second, quantity: 1 }]);
    for (const { clockId } of plans) await advance(session, clockId, '2026-02-02');
    // 5 days of 31.00 are apart, and the year is charged from January 16 on.
    expect((await linedInvoicesOf(session, yearly.id)).slice(1)).toEqual([
      expect.stringMatching(/^adjustment paid 2026-01-16: static /),
    ]);
    expect((await upcomingInvoice(fresh(session), yearly.id))?.lines.at(-1)).toMatchObject({
      type: 'one_off',
      amount: 500,
    });
    expect((await linedInvoicesOf(session, readded.id)).slice(1)).toEqual([
      'adjustment paid 2026-01-21: static 1100',
      'period paid 2026-02-01: static 1000, static 3100, one_off 500',
    ]);
    expect((await linedInvoicesOf(session, more.id)).slice(1)).toEqual([
      'adjustment paid 2026-01-16: static 3200',
      'period paid 2026-02-01: static 1000, static 3100, one_off 500',
    ]);
    expect((await linedInvoicesOf(session, extended.id)).slice(1)).toEqual([
      'period paid 2026-02-01: static 1000, static 3100, one_off 500, one_off 700',
    ]);
    await expectMoneyToAgree(fresh(session));
  });

  test('waits for the end of its period where the invoice of that period is late', async ({
    session,
  }) => {
    const plan = await aPlan(session, { draftWindowHours: 72 });
    await plan.add('2026-02-02');
    await advance(session, plan.clockId, '2026-03-05');
    expect((await linedInvoicesOf(session, plan.id)).slice(1)).toEqual([
      'period paid 2026-02-04: static 1000, static 0',
      // 27 of 28 days of 31.00, rounded half up.
      'period paid 2026-03-04: static 1000, static 3100, one_off 2989',
    ]);
  });

  test('counts for the commitment of its period', async ({ session }) => {
    const plan = await aPlan(session, {
      commitment: { amount: 4_100, term: { unit: 'month', count: 1 }, counts: 'all' },
    });
    await plan.add('2026-01-16');
    await advance(session, plan.clockId, '2026-02-02');
    // 41.00 are committed, 10.00 and 16.00 count.
    expect((await linedInvoicesOf(session, plan.id)).slice(1)).toEqual([
      'period paid 2026-02-01: static 1000, static 3100, commitment 1500, one_off 1600',
    ]);
  });

  test('that ends in a pause of the billing charges the rest from the end of the pause on', async ({
    session,
  }) => {
    const plan = await aPlan(session);
    await plan.add('2026-01-16');
    await advance(session, plan.clockId, '2026-01-15');
    await pauseSubscription(fresh(session), { id: plan.id, pause: { timing: 'immediately' } });
    await advance(session, plan.clockId, '2026-01-18');
    await resumeSubscription(fresh(session), { id: plan.id });
    await advance(session, plan.clockId, '2026-02-02');
    // 14 of 31 days of 31.00.
    expect((await linedInvoicesOf(session, plan.id)).slice(1)).toEqual([
      'period paid 2026-02-01: static 1000, static 3100, one_off 1400',
    ]);
  });

  test('is refused where it ends before the item is in the plan', async ({ session }) => {
    const plan = await aPlan(session);
    await advance(session, plan.clockId, '2026-01-05');
    await expect(plan.add('2026-01-04')).rejects.toMatchObject({
      issues: [
        { code: 'OUT_OF_RANGE', path: ['adjustment', 'newSubscriptionItems', '1', 'trialEnd'] },
      ],
    });
  });
});
