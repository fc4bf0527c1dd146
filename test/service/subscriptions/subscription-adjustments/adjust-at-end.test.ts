import { describe, expect } from 'vitest';
import { updateFeature } from '#domain/catalog/commands/features/update-feature.ts';
import { agreedBy, anAdjustable, shown } from '../../../support/adjustments.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { aCatalog, aPlan } from '../../../support/plans.ts';
import { test } from '../../../support/test.ts';
import { eventsOf } from '../../../support/timeline.ts';

describe('an upgrade at the end of the period', () => {
  test('costs nothing before it, as its preview says, and the next invoice is by the dearer plan', async ({
    session,
  }) => {
    const it = await anAdjustable(session, { unitPrice: 1_000 });
    await it.toDay(10);
    const priceId = await it.monthly(5_000);
    const timing = { timing: 'at_end_of_current_billing_period' } as const;
    expect(await it.preview([{ priceId }], timing)).toMatchObject({
      canAdjust: true,
      isUpgrade: true,
      resolvedTiming: 'at_end_of_current_billing_period',
      effectiveDate: it.day(30),
      prorationAmount: 0,
      amountDue: 0,
      newPlanTotal: 5_000,
    });
    const answer = await it.adjust([{ priceId }], timing);
    expect(answer).toMatchObject({
      isUpgrade: true,
      resolvedTiming: 'at_end_of_current_billing_period',
    });
    expect(shown(answer.subscriptionItems)).toEqual(['1000×1']);
    expect(await it.charges()).toHaveLength(1);
    await it.toDay(31);
    expect(await it.current()).toMatchObject({ priceId, scheduledAdjustmentAt: null });
    expect((await it.charges()).map(({ amount }) => amount)).toEqual([1_000, 5_000]);
    await expectMoneyToAgree(session);
  });
});

describe('a downgrade', () => {
  test('waits for the end of the period, and the next invoice is by the new items', async ({
    session,
  }) => {
    const it = await anAdjustable(session, { unitPrice: 2_000 });
    await it.toDay(10);
    const priceId = await it.monthly(500);
    const answer = await it.adjust([{ priceId, quantity: 2 }], { timing: 'auto' });
    expect(answer).toMatchObject({
      resolvedTiming: 'at_end_of_current_billing_period',
      isUpgrade: false,
    });
    expect(answer.subscription.scheduledAdjustmentAt).toEqual(it.day(30));
    expect(shown(answer.subscriptionItems)).toEqual(['2000×1']);
    expect((await it.items()).map(({ addedDate, expiredAt }) => [addedDate, expiredAt])).toEqual([
      [it.day(0), it.day(30)],
      [it.day(30), null],
    ]);
    await it.toDay(31);
    expect(await it.current()).toMatchObject({ priceId, scheduledAdjustmentAt: null });
    expect((await it.charges()).map(({ amount }) => amount)).toEqual([2_000, 1_000]);
    expect((await eventsOf(session, it.id)).map(({ type }) => type)).toEqual([
      'subscription.created',
      'subscription.updated',
      'subscription.adjustment_scheduled',
      'subscription.adjusted',
    ]);
    await expectMoneyToAgree(session);
  });

  test('that is reverted leaves the items exactly as they were', async ({ session }) => {
    const it = await anAdjustable(session, { unitPrice: 2_000 });
    const priceId = await it.monthly(500);
    const before = await agreedBy(session, it.customer.id);
    await it.adjust([{ priceId }], { timing: 'auto' });
    expect(await it.cancelScheduled()).toMatchObject({
      canceledItemCount: 1,
      subscription: { scheduledAdjustmentAt: null },
    });
    const after = await agreedBy(session, it.customer.id);
    expect(after).toEqual({ ...before, items: expect.arrayContaining(before.items) });
    await it.toDay(31);
    expect((await it.charges()).map(({ amount }) => amount)).toEqual([2_000, 2_000]);
    await expectMoneyToAgree(session);
  });

  test.for([true, false])(
    'that is reverted is reported as it was scheduled (by id: %s)',
    async (byId, { session }) => {
      const it = await anAdjustable(session, { quantity: 3 });
      const [item] = await it.items();
      const { priceId } = await it.current();
      await it.adjust([{ ...(byId ? { id: item?.id } : { priceId }), quantity: 2 }], {
        timing: 'auto',
      });
      await it.cancelScheduled();
      const told = (await eventsOf(session, it.id)).slice(-2).map(({ data }) => data as object);
      const [{ oldItems, newItems }, canceled] = told as [Record<string, unknown>, object];
      expect(canceled).toMatchObject({ oldItems, newItems, reason: null });
      expect(newItems).toMatchObject([{ quantity: 2 }]);
    },
  );

  test('at the end of a trial is reported with that: the items before and after', async ({
    session,
  }) => {
    const it = await anAdjustable(session, { trialDays: 10 });
    const priceId = await it.monthly(500);
    await it.adjust([{ priceId }], { timing: 'auto' });
    await it.toDay(11);
    const [event] = (await eventsOf(session, it.id)).slice(-1);
    expect(event).toMatchObject({
      type: 'subscription.trial_ended',
      data: { oldItems: [{ unitPrice: 1_000 }], newItems: [{ unitPrice: 500, priceId }] },
    });
    expect(event?.data).not.toHaveProperty('reason');
  });

  test('that is dropped at the end of a trial is reported with that: the items, and why', async ({
    session,
  }) => {
    const { credits } = await aCatalog(session);
    const next = await aPlan(session, { unitPrice: 400, features: [credits(100)] });
    const it = await anAdjustable(session, { trialDays: 10 });
    const [item] = await it.items();
    await it.adjust([{ id: item?.id, priceId: next.priceId, quantity: 2 }], { timing: 'auto' });
    const [id = ''] = next.featureIds;
    await updateFeature(it.fresh(), { id, feature: { amount: Number.MAX_SAFE_INTEGER } });
    await it.toDay(11);
    expect((await eventsOf(session, it.id)).at(-1)).toMatchObject({
      type: 'subscription.trial_ended',
      data: {
        oldItems: [{ quantity: 1 }],
        newItems: [{ quantity: 2 }],
        reason: expect.stringContaining('exceeds the maximum amount of feature'),
      },
    });
  });
});
