// @module-tag long
import { describe, expect } from 'vitest';
import { anAdjustable } from '../../../support/adjustments.ts';
import { aPriceOf } from '../../../support/factories.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { test } from '../../../support/test.ts';
import { periodsOf } from '../../../support/timeline.ts';

type Adjustable = Awaited<ReturnType<typeof anAdjustable>>;

const amounts = async (it: Adjustable) => (await it.charges()).map(({ amount }) => amount);
const yearly = (it: Adjustable, unitPrice: number) =>
  aPriceOf(it.fresh(), { unitPrice, intervalUnit: 'year' });

/** The periods as days from the start of the clock. */
const daysOf = async (it: Adjustable, session: Parameters<typeof periodsOf>[0]) =>
  (await periodsOf(session, it.id)).map(({ startDate, endDate, status }) => {
    const days = (date: Date) => (date.getTime() - it.day(0).getTime()) / 86_400_000;
    return `${days(startDate)}–${days(endDate)} ${status}`;
  });

describe('another interval', () => {
  test('begins a period at once, paid for as a whole next to what was used of the old one', async ({
    session,
  }) => {
    const it = await anAdjustable(session, { unitPrice: 1_000 });
    await it.toDay(15);
    const items = [{ priceId: await yearly(it, 10_000) }];
    expect(await it.preview(items)).toMatchObject({
      prorationAmount: 9_500,
      newInterval: { unit: 'year', count: 1 },
      newIntervalStart: it.day(15),
    });
    const { subscription } = await it.adjust(items);
    expect(subscription).toMatchObject({
      interval: 'year',
      intervalCount: 1,
      billingCycleAnchorDate: it.day(15),
      currentBillingPeriodStart: it.day(15),
      currentBillingPeriodEnd: it.day(380),
    });
    expect(await daysOf(it, session)).toEqual(['0–15 completed', '15–380 active']);
    await it.toDay(381);
    expect(await amounts(it)).toEqual([1_000, 9_500, 10_000]);
    expect(await daysOf(it, session)).toEqual([
      '0–15 completed',
      '15–380 completed',
      '380–745 active',
    ]);
    await expectMoneyToAgree(session);
  });

  test('has been paid for when the plan changes again within it', async ({ session }) => {
    const it = await anAdjustable(session, { unitPrice: 1_000 });
    await it.toDay(15);
    await it.adjust([{ priceId: await yearly(it, 36_500) }]);
    await it.toDay(15 + 73);
    const items = [{ priceId: await yearly(it, 73_000) }];
    // A fifth of the old one and four fifths of the new one, less the whole old one.
    expect(await it.preview(items)).toMatchObject({ prorationAmount: 29_200, newInterval: null });
    await it.adjust(items);
    expect(await amounts(it)).toEqual([1_000, 36_000, 29_200]);
    await expectMoneyToAgree(session);
  });

  test('gives the period another end, at its very start', async ({ session }) => {
    const it = await anAdjustable(session, { unitPrice: 1_000 });
    await it.adjust([{ priceId: await yearly(it, 10_000) }]);
    expect(await amounts(it)).toEqual([1_000, 9_000]);
    expect(await daysOf(it, session)).toEqual(['0–365 active']);
    await it.toDay(366);
    expect(await amounts(it)).toEqual([1_000, 9_000, 10_000]);
    await expectMoneyToAgree(session);
  });

  test('waits for the end of the period without proration', async ({ session }) => {
    const it = await anAdjustable(session, { unitPrice: 1_000 });
    await it.toDay(15);
    const items = [{ priceId: await yearly(it, 10_000) }];
    const options = { prorateCurrentBillingPeriod: false };
    expect(await it.preview(items, options)).toMatchObject({ newIntervalStart: it.day(30) });
    await it.adjust(items, options);
    expect(await daysOf(it, session)).toEqual(['0–30 active']);
    await it.toDay(31);
    expect(await amounts(it)).toEqual([1_000, 10_000]);
    expect(await daysOf(it, session)).toEqual(['0–30 completed', '30–395 active']);
  });

  test('that waits is not charged for by what is adjusted meanwhile', async ({ session }) => {
    const it = await anAdjustable(session, { unitPrice: 1_000 });
    await it.toDay(10);
    const options = { prorateCurrentBillingPeriod: false };
    await it.adjust([{ priceId: await yearly(it, 120_000) }], options);
    await it.toDay(15);
    const [, item] = await it.items();
    const items = [{ id: item?.id, quantity: 2 }];
    expect(await it.preview(items)).toMatchObject({ prorationAmount: 0, newIntervalStart: null });
    await it.adjust(items);
    const back = { prorationAmount: 0, newIntervalStart: it.day(30) };
    expect(await it.preview([{ priceId: await it.monthly(5_000) }])).toMatchObject(back);
    await it.toDay(31);
    expect(await amounts(it)).toEqual([1_000, 240_000]);
    expect(await daysOf(it, session)).toEqual(['0–30 completed', '30–395 active']);
    await expectMoneyToAgree(session);
  });

  test('of what is scheduled begins with the next period', async ({ session }) => {
    const it = await anAdjustable(session, { unitPrice: 1_000 });
    await it.toDay(15);
    const priceId = await aPriceOf(it.fresh(), { unitPrice: 200, intervalUnit: 'week' });
    await it.adjust([{ priceId }], { timing: 'auto' });
    await it.toDay(38);
    expect(await daysOf(it, session)).toEqual([
      '0–30 completed',
      '30–37 completed',
      '37–44 active',
    ]);
    expect(await amounts(it)).toEqual([1_000, 200, 200]);
    await expectMoneyToAgree(session);
  });

  test('of a trial applies from its end on', async ({ session }) => {
    const it = await anAdjustable(session, { trialDays: 10 });
    await it.toDay(5);
    await it.adjust([{ priceId: await yearly(it, 10_000) }]);
    await it.toDay(11);
    expect(await daysOf(it, session)).toEqual(['0–10 completed', '10–375 active']);
    expect(await amounts(it)).toEqual([10_000]);
  });

  test('that was agreed with the subscription stays while prices have the same one', async ({
    session,
  }) => {
    const it = await anAdjustable(session, { interval: 'week', intervalCount: 1 });
    await it.adjust([{ priceId: await it.monthly(2_000) }]);
    expect(await it.current()).toMatchObject({ interval: 'week', intervalCount: 1 });
  });
});
