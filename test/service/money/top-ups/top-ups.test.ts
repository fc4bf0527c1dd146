// @module-tag long
import { describe, expect } from 'vitest';
import { executeTopUp } from '#domain/money/collection/execute-top-up.ts';
import { createPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { createPurchase } from '#domain/money/commands/purchases/create-purchase.ts';
import { updateTopUp } from '#domain/money/commands/top-ups/update-top-up.ts';
import { aPackage, aTopUp, purchasesOf, topUpOf } from '../../../support/records/top-ups.ts';
import { test } from '../../../support/test.ts';
import { advance, eventsOf, fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription, balanceOf, use } from '../../../support/usage.ts';

describe('a top-up', () => {
  test('buys one package after the other until the credits are above its threshold', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { creditsOnce: 100 });
    const priceId = await aPackage(session, user, 50);
    const topUp = await aTopUp(session, user, { priceId, threshold: 20 });
    await use(session, user, 79);
    await advance(session, user.clockId, '2026-02-01');
    expect(await purchasesOf(session, user.customerId)).toEqual([]);
    await use(session, user, 121);
    await advance(session, user.clockId, '2026-02-02');
    expect(await purchasesOf(session, user.customerId)).toEqual([
      'paid paid',
      'paid paid',
      'paid paid',
    ]);
    expect(await balanceOf(session, user)).toMatchObject({ remaining: '50', overage: '0' });
    expect(await topUpOf(session, topUp)).toMatchObject({
      active: true,
      purchasesInMonth: 3,
      pendingPurchaseId: null,
      dueAt: null,
    });
  });

  test('buys at once below its threshold, and no more than its packages of a month', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { creditsOnce: 10 });
    const priceId = await aPackage(session, user, 50);
    const topUp = await aTopUp(session, user, { priceId, threshold: 1_000, mostPerMonth: 2 });
    await advance(session, user.clockId, '2026-02-01');
    // January 31 bought two, and the next month two more.
    expect(await purchasesOf(session, user.customerId)).toHaveLength(4);
    await advance(session, user.clockId, '2026-03-02');
    expect(await purchasesOf(session, user.customerId)).toHaveLength(6);
    const change = (mostPerMonth: number) =>
      updateTopUp(fresh(session), { id: topUp.id, topUp: { mostPerMonth } });
    await expect(change(1)).rejects.toMatchObject({
      issues: [{ code: 'OUT_OF_RANGE', path: ['topUp', 'mostPerMonth'] }],
    });
    await change(3);
    await advance(session, user.clockId, '2026-03-03');
    expect(await purchasesOf(session, user.customerId)).toHaveLength(7);
  });

  test('never has two purchases at once, however many processes execute it', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { creditsOnce: 10 });
    const priceId = await aPackage(session, user, 500);
    const topUp = await aTopUp(session, user, { priceId, threshold: 100 });
    await Promise.all(Array.from({ length: 6 }, () => executeTopUp(fresh(session), topUp.id)));
    expect(await purchasesOf(session, user.customerId)).toEqual(['paid paid']);
  });

  test('stops when a payment fails, states why, and continues once it is activated', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { creditsOnce: 10, doNotCharge: true });
    await createPaymentMethod(fresh(session), {
      paymentMethod: {
        customerId: user.customerId,
        type: 'card',
        token: 'sandbox_decline_insufficient_funds',
        default: true,
      },
    });
    const priceId = await aPackage(session, user, 50);
    const topUp = await aTopUp(session, user, { priceId, threshold: 20 });
    await advance(session, user.clockId, '2026-02-02');
    expect(await purchasesOf(session, user.customerId)).toEqual(['failed void']);
    const stopped = await topUpOf(session, topUp);
    expect(stopped).toMatchObject({ active: false, pendingPurchaseId: null });
    expect(stopped.problem).toBeTruthy();
    const events = await eventsOf(session, topUp.id);
    expect(events.at(-1)?.type).toBe('top_up.stopped');
    await createPaymentMethod(fresh(session), {
      paymentMethod: {
        customerId: user.customerId,
        type: 'card',
        token: 'sandbox_success',
        default: true,
      },
    });
    await updateTopUp(fresh(session), { id: topUp.id, topUp: { active: true } });
    await advance(session, user.clockId, '2026-02-03');
    expect(await purchasesOf(session, user.customerId)).toEqual(['failed void', 'paid paid']);
    expect(await topUpOf(session, topUp)).toMatchObject({ active: true, problem: null });
  });

  test('needs a price whose product grants credits of its meter', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const other = await aMeteredSubscription(session);
    const priceId = await aPackage(session, other, 50);
    await expect(aTopUp(session, user, { priceId, threshold: 1 })).rejects.toMatchObject({
      issues: [{ code: 'MISMATCH', path: ['topUp', 'priceId'] }],
    });
    const own = await aPackage(session, user, 50);
    await aTopUp(session, user, { priceId: own, threshold: 1 });
    await expect(aTopUp(session, user, { priceId: own, threshold: 2 })).rejects.toMatchObject({
      issues: [{ code: 'TAKEN', path: ['topUp', 'usageMeterId'] }],
    });
  });
});

describe('a purchase without a checkout', () => {
  test('is charged now, and grants its credits once it is paid', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const priceId = await aPackage(session, user, 50);
    const purchase = await createPurchase(fresh(session), {
      purchase: { customerId: user.customerId, priceId, quantity: 2 },
    });
    expect(purchase).toMatchObject({ status: 'paid', quantity: 2, totalPurchaseValue: 1_000 });
    expect(await balanceOf(session, user)).toMatchObject({ remaining: '100' });
  });
});
