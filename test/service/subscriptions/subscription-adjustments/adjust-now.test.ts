import { describe, expect } from 'vitest';
import { agreedBy, anAdjustable, shown } from '../../../support/adjustments.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { test } from '../../../support/test.ts';
import { storyOf } from '../../../support/timeline.ts';

describe('an upgrade at once', () => {
  test('charges what is left of the period once, and changes the items as of now', async ({
    session,
  }) => {
    const it = await anAdjustable(session, { unitPrice: 1_000 });
    await it.toDay(15);
    const priceId = await it.monthly(2_000);
    expect(await it.preview([{ priceId }])).toMatchObject({
      canAdjust: true,
      prorationAmount: 500,
    });
    const answer = await it.adjust([{ priceId }]);
    expect(answer).toMatchObject({ resolvedTiming: 'immediately', isUpgrade: true });
    expect(answer.billingRunId).toBeNull();
    expect(answer.subscription).toMatchObject({ priceId, status: 'active' });
    expect(shown(answer.subscriptionItems)).toEqual(['2000×1']);
    expect((await it.items()).map(({ addedDate, expiredAt }) => [addedDate, expiredAt])).toEqual([
      [it.day(0), it.day(15)],
      [it.day(15), null],
    ]);
    expect((await it.charges()).map(({ amount }) => amount)).toEqual([1_000, 500]);
    await it.toDay(31);
    expect((await it.charges()).map(({ amount }) => amount)).toEqual([1_000, 500, 2_000]);
    await expectMoneyToAgree(session);
  });

  test('that is declined leaves everything as it was, and the period closes as paid', async ({
    session,
  }) => {
    const it = await anAdjustable(session, { unitPrice: 1_000 });
    await it.toDay(15);
    await it.pays('sandbox_decline_expired_card', { default: true });
    const priceId = await it.monthly(2_000);
    const before = await agreedBy(session, it.customer.id);
    const { version } = await it.current();
    await expect(it.adjust([{ priceId }])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('expired_card'),
    });
    expect(await agreedBy(session, it.customer.id)).toEqual(before);
    expect(await it.current()).toMatchObject({ version });
    expect((await it.invoices()).map(({ status }) => status)).toEqual(['paid', 'void']);
    await it.pays('sandbox_success', { default: true });
    await it.toDay(31);
    expect(await storyOf(session, it.id)).toEqual([
      expect.stringContaining('completed'),
      expect.stringContaining('active'),
    ]);
    await expectMoneyToAgree(session);
  });

  test('by a slow payment is made when that arrives, as of when it was asked for', async ({
    session,
  }) => {
    const it = await anAdjustable(session, { unitPrice: 1_000 });
    await it.pays('sandbox_slow', { default: true });
    await it.toDay(29.99);
    const priceId = await it.monthly(2_000);
    const { billingRunId, subscriptionItems } = await it.adjust([{ priceId }]);
    expect(billingRunId).toMatch(/^billing_run_/);
    expect(shown(subscriptionItems)).toEqual(['1000×1']);
    await expect(it.adjust([{ priceId }])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await it.toDay(32);
    expect((await it.items()).map(({ addedDate }) => addedDate)).toEqual([
      it.day(0),
      it.day(29.99),
    ]);
    expect((await it.invoices()).map(({ total, status }) => [total, status])).toEqual([
      [1000, 'paid'],
      [1, 'paid'],
      [2000, 'paid'],
    ]);
    await expectMoneyToAgree(session);
  });
});
