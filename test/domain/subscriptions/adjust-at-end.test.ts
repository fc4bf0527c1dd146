import { describe, expect } from 'vitest';
import { agreedBy, anAdjustable, shown } from '../../support/adjustments.ts';
import { expectBooksToAgree } from '../../support/books.ts';
import { test } from '../../support/test.ts';
import { eventsOf } from '../../support/timeline.ts';

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
    await expectBooksToAgree(session);
  });

  test('that is taken back leaves the items exactly as they were', async ({ session }) => {
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
    await expectBooksToAgree(session);
  });
});
