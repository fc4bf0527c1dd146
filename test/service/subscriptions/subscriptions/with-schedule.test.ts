import { describe, expect } from 'vitest';
import { updateSubscriptionItem } from '#domain/subscriptions/commands/subscription-adjustments/update-subscription-item.ts';
import { shown } from '../../../support/adjustments.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { anEndable } from '../../../support/records/ends.ts';
import { test } from '../../../support/test.ts';
import { eventsOf } from '../../../support/timeline.ts';

const atEnd = { timing: 'at_end_of_current_billing_period' } as const;

type Endable = Awaited<ReturnType<typeof anEndable>>;

const present = async (it: Endable, day: number) =>
  shown((await it.items()).filter((item) => item.isActive(it.day(day))));
const firstOf = async (it: Endable) => (await it.items())[0]?.id ?? '';
const changes = async (it: Endable) =>
  (await eventsOf(it.fresh(), it.id))
    .map(({ type }) => type)
    .filter((type) => /adjust|canceled/.test(type));

describe('while an adjustment is scheduled', () => {
  test('seats are added at once, and another plan at the boundary stays as it was planned', async ({
    session,
  }) => {
    const it = await anEndable(session, { quantity: 2 });
    const solo = await it.monthly(300);
    await it.adjust([{ priceId: solo }], atEnd);
    await it.toDay(15);
    const more = [{ id: await firstOf(it), quantity: 4 }];
    expect(await it.preview(more)).toMatchObject({
      canAdjust: true,
      prorationAmount: 1000,
      scheduledAdjustment: 'kept',
      scheduledSubscriptionItems: [{ unitPrice: 300, quantity: 1 }],
    });
    await it.adjust(more);
    expect(await present(it, 15)).toEqual(['1000×4']);
    expect(await it.current()).toMatchObject({ scheduledAdjustmentAt: it.day(30) });
    await it.toDay(31);
    expect(await present(it, 31)).toEqual(['300×1']);
    expect((await it.invoices()).map(({ subtotal }) => subtotal)).toEqual([2000, 1000, 300]);
    await expectMoneyToAgree(session);
  });

  test('an item that begins at once continues after it', async ({ session }) => {
    const it = await anEndable(session, { quantity: 5 });
    const id = await firstOf(it);
    await it.adjust([{ id, quantity: 3 }], atEnd);
    const extra = await it.monthly(100);
    const both = [{ id }, { priceId: extra, quantity: 2 }];
    expect(await it.preview(both)).toMatchObject({ scheduledAdjustment: 'merged' });
    await it.adjust(both);
    expect(await present(it, 0)).toEqual(['1000×5', '100×2']);
    await it.toDay(31);
    expect(await present(it, 31)).toEqual(['1000×3', '100×2']);
    await it.toDay(62);
    expect((await it.invoices()).at(-1)).toMatchObject({ subtotal: 3200 });
  });

  test('another one at the end of the period replaces it', async ({ session }) => {
    const it = await anEndable(session, { quantity: 5 });
    const id = await firstOf(it);
    await it.adjust([{ priceId: await it.monthly(100) }], atEnd);
    const fewer = [{ id, quantity: 3 }];
    expect(await it.preview(fewer, atEnd)).toMatchObject({ scheduledAdjustment: 'replaced' });
    await it.adjust(fewer, atEnd);
    await it.toDay(31);
    expect(await present(it, 31)).toEqual(['1000×3']);
    expect((await it.invoices()).map(({ subtotal }) => subtotal)).toEqual([5000, 3000]);
  });

  test('a change of one item joins it', async ({ session }) => {
    const it = await anEndable(session, { quantity: 5 });
    const id = await firstOf(it);
    await it.adjust([{ id }, { priceId: await it.monthly(100) }], atEnd);
    await updateSubscriptionItem(it.fresh(), { id, subscriptionItem: { quantity: 3 } });
    await it.toDay(31);
    expect(await present(it, 31)).toEqual(['1000×3', '100×1']);
  });

  test('another plan at once drops it, so that no plan is charged twice', async ({ session }) => {
    const it = await anEndable(session);
    await it.adjust([{ priceId: await it.monthly(300) }], atEnd);
    const pro = [{ priceId: await it.monthly(4000) }];
    expect(await it.preview(pro)).toMatchObject({
      scheduledAdjustment: 'dropped',
      scheduledSubscriptionItems: null,
    });
    await it.adjust(pro);
    expect(await it.current()).toMatchObject({ scheduledAdjustmentAt: null });
    await it.toDay(31);
    expect(await present(it, 31)).toEqual(['4000×1']);
    expect(await changes(it)).toEqual([
      'subscription.adjustment_scheduled',
      'subscription.adjusted',
    ]);
  });

  test('the change that it plans can be made at once', async ({ session }) => {
    const it = await anEndable(session, { quantity: 5 });
    const fewer = [{ id: await firstOf(it), quantity: 3 }];
    await it.adjust(fewer, atEnd);
    expect(await it.preview(fewer)).toMatchObject({ scheduledAdjustment: 'dropped' });
    await it.adjust(fewer);
    expect(await it.current()).toMatchObject({ scheduledAdjustmentAt: null });
    await it.toDay(31);
    expect(await present(it, 31)).toEqual(['1000×3']);
  });

  test('another interval at once drops it', async ({ session }) => {
    const it = await anEndable(session, { quantity: 5 });
    const id = await firstOf(it);
    await it.adjust([{ priceId: await it.monthly(100) }], atEnd);
    const other = await anEndable(session, { days: 10, unitPrice: 9000 });
    const [item] = await other.items();
    await it.toDay(15);
    const change = [{ id, priceId: item?.priceId ?? '', quantity: 1 }];
    expect(await it.preview(change)).toMatchObject({ scheduledAdjustment: 'dropped' });
    await it.adjust(change);
    expect(await present(it, 15)).toEqual(['9000×1']);
    await it.toDay(31);
    expect(await present(it, 31)).toEqual(['9000×1']);
    expect(await it.current()).toMatchObject({ scheduledAdjustmentAt: null });
  });

  test.for([
    ['immediately', []],
    ['at_end_of_current_billing_period', ['subscription.adjustment_canceled']],
  ] as const)(
    'the subscription can be canceled %s, which drops it',
    async ([timing, events], { session }) => {
      const it = await anEndable(session, { quantity: 5 });
      await it.adjust([{ priceId: await it.monthly(100) }], atEnd);
      await it.toDay(15);
      expect(await it.previewCancel({ timing })).toMatchObject({ scheduledAdjustment: 'dropped' });
      await it.cancel({ timing });
      expect(await it.current()).toMatchObject({ scheduledAdjustmentAt: null });
      await it.toDay(31);
      expect(await it.current()).toMatchObject({ status: 'canceled' });
      expect(await it.invoices()).toHaveLength(1);
      expect(await changes(it)).toEqual([
        'subscription.adjustment_scheduled',
        ...events,
        'subscription.canceled',
      ]);
    },
  );
});

describe('while an end is scheduled', () => {
  test('seats are added at once', async ({ session }) => {
    const it = await anEndable(session);
    await it.cancel(atEnd);
    await it.toDay(15);
    await it.adjust([{ id: await firstOf(it), quantity: 3 }]);
    expect(await present(it, 15)).toEqual(['1000×3']);
    expect(await it.current()).toMatchObject({ status: 'cancellation_scheduled' });
    await it.toDay(31);
    expect(await it.current()).toMatchObject({ status: 'canceled' });
    expect((await it.invoices()).map(({ subtotal }) => subtotal)).toEqual([1000, 1000]);
  });

  test.for([
    // 3000 paid, less the parts used: 333 of one seat and 1333 of four.
    ['sandbox_success', 1334],
    ['sandbox_decline_expired_card', 333],
  ] as const)(
    'it stays within the period, also after the payment of a change (%s)',
    async ([token, credit], { session }) => {
      const it = await anEndable(session);
      await it.cancel({ timing: 'at_date', cancelAt: it.day(20), credit: 'balance' });
      await it.toDay(10);
      await it.pays(token, { default: true });
      const more = it.adjust([{ id: await firstOf(it), quantity: 4 }]);
      await more.catch(({ code }) => expect(code).toBe('BAD_REQUEST'));
      await it.toDay(31);
      expect(await it.current()).toMatchObject({ status: 'canceled', canceledAt: it.day(20) });
      expect(await it.balance()).toBe(credit);
      await expectMoneyToAgree(session);
    },
  );

  test('a change after it is refused, and one before it is possible', async ({ session }) => {
    const it = await anEndable(session);
    const more = [{ id: await firstOf(it), quantity: 3 }];
    await it.cancel({ timing: 'at_date', cancelAt: it.day(45) });
    expect(await it.preview(more, atEnd)).toMatchObject({ canAdjust: true });
    await it.toDay(31);
    expect(await it.preview(more, atEnd)).toMatchObject({
      canAdjust: false,
      reason: expect.stringContaining('uncancel it first'),
    });
  });
});
