// @module-tag long
import { describe, expect } from 'vitest';
import { updateFeature } from '#domain/catalog/commands/features/update-feature.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { agreedBy, anAdjustable, refused } from '../../../support/adjustments.ts';
import { aPriceOf } from '../../../support/factories.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { aCatalog, aPlan, aSubscriber, type Subscriber } from '../../../support/plans.ts';
import { test as base } from '../../../support/test.ts';
import { eventsOf } from '../../../support/timeline.ts';

const test = base.extend('catalog', ({ session }) => aCatalog(session));

const now = { timing: 'immediately' } as const;
const atEnd = { timing: 'auto' } as const;
const most = Number.MAX_SAFE_INTEGER;

const amountsOf = async (it: Pick<Subscriber, 'charges'>) =>
  (await it.charges()).map(({ amount }) => amount);

/** A refused change, previewed or not, leaves everything as it was, and charges no customer. */
async function expectRefusal(
  it: Awaited<ReturnType<typeof anAdjustable>>,
  [items, options]: Parameters<typeof it.adjust>,
  path: string,
  message: RegExp,
) {
  const [agreed, charged] = [await agreedBy(it.fresh(), it.customer.id), await amountsOf(it)];
  const reason = expect.stringMatching(message);
  expect(await it.preview(items, options)).toMatchObject({ canAdjust: false, reason });
  await expect(it.adjust(items, options)).rejects.toMatchObject(refused(path, message));
  expect(await agreedBy(it.fresh(), it.customer.id)).toEqual(agreed);
  expect(await amountsOf(it)).toEqual(charged);
  // The next boundary is crossed.
  await it.toDay(31);
  expect((await it.current()).currentBillingPeriodStart).toEqual(it.day(30));
}

describe('more than can be counted', () => {
  const quantity = 'adjustment.newSubscriptionItems.0.quantity';

  test.for([
    ['credits', now],
    ['seats', now],
    ['credits', atEnd],
    ['seats', atEnd],
  ] as const)(
    'of %s, of a new item (%o), is refused before anything is charged',
    async ([kind, options], { session, catalog }) => {
      const grown = await aPlan(session, { unitPrice: 1, features: [catalog[kind](10 ** 12)] });
      const it = await aSubscriber(session, catalog, [await aPlan(session, { unitPrice: 5_000 })]);
      const items = [
        { priceId: grown.priceId, quantity: options === now ? 10_000 : 9_999_999_999 },
      ];
      if (options === atEnd) Object.assign(items[0] as object, { unitPrice: 0 });
      await expectRefusal(it, [items, options], quantity, /exceeds the maximum amount of feature/);
    },
  );

  test.for([
    ['credits', now],
    ['seats', now],
    ['credits', atEnd],
    ['seats', atEnd],
  ] as const)(
    'of %s, of an item that continues (%o), is refused before anything is charged',
    async ([kind, options], { session, catalog }) => {
      const plan = await aPlan(session, { unitPrice: 1, features: [catalog[kind](10 ** 12)] });
      const it = await aSubscriber(session, catalog, [plan]);
      const [item] = await it.items();
      const items = [
        { id: item?.id, quantity: 10_000, ...(options === atEnd && { unitPrice: 0 }) },
      ];
      await expectRefusal(it, [items, options], quantity, /exceeds the maximum amount of feature/);
    },
  );

  test('of an item that continues with another product is refused before anything is charged', async ({
    session,
    catalog,
  }) => {
    const huge = await aPlan(session, { unitPrice: 2_000, features: [catalog.credits(most)] });
    const it = await aSubscriber(session, catalog, [await aPlan(session, {})]);
    const [item] = await it.items();
    const items = [{ id: item?.id, priceId: huge.priceId, quantity: 2 }];
    await expectRefusal(it, [items, now], quantity, /exceeds the maximum amount of feature/);
  });

  test('of one resource by several items is refused before anything is charged', async ({
    session,
    catalog,
  }) => {
    const huge = await aPlan(session, { unitPrice: 2_000, features: [catalog.seats(most)] });
    const it = await aSubscriber(session, catalog, [await aPlan(session, {})]);
    const items = [{ priceId: huge.priceId }, { priceId: huge.priceId }];
    const path = 'adjustment.newSubscriptionItems';
    await expectRefusal(it, [items, now], path, /grant more than the largest possible capacity/);
  });

  test('tells the place of the item in the input, also behind one that is left out', async ({
    session,
    catalog,
  }) => {
    const huge = await aPlan(session, { unitPrice: 2_000, features: [catalog.seats(most)] });
    const it = await aSubscriber(session, catalog, [await aPlan(session, {})]);
    const items = [
      { unitPrice: 1, manuallyCreated: true },
      { priceId: huge.priceId, quantity: 2 },
    ];
    const path = 'adjustment.newSubscriptionItems.1.quantity';
    await expect(it.adjust(items)).rejects.toMatchObject(
      refused(path, /exceeds the maximum amount/),
    );
  });
});

test.for([now, atEnd])(
  'a period by a new interval that would end after the year 9999 is refused (%o)',
  async (options, { session }) => {
    const it = await anAdjustable(session, { unitPrice: 2_000 });
    const unitPrice = options === now ? 5_600 : 10;
    const ages = { unitPrice, intervalUnit: 'year', intervalCount: 7_980 } as const;
    const items = [{ priceId: await aPriceOf(session, ages) }];
    const path = 'adjustment.newSubscriptionItems.0.priceId';
    await expectRefusal(it, [items, options], path, /after the year 9999/);
  },
);

describe('what becomes impossible after it was agreed', () => {
  /** Two of a plan whose product grants more, from then on, than two of it can have. */
  async function outgrown(session: Parameters<typeof aCatalog>[0]) {
    const catalog = await aCatalog(session);
    const next = await aPlan(session, { unitPrice: 500, features: [catalog.credits(100)] });
    const it = await aSubscriber(session, catalog, [await aPlan(session, { unitPrice: 1_200 })]);
    const outgrow = () =>
      updateFeature(it.fresh(), {
        id: next.featureIds[0] ?? '',
        feature: { amount: most },
      });
    return { it, next, outgrow };
  }

  test('is dropped at the boundary, which is crossed, and the feed tells why', async ({
    session,
  }) => {
    const { it, next, outgrow } = await outgrown(session);
    const [item] = await it.items();
    const before = await agreedBy(session, it.customer.id);
    const items = [{ id: item?.id, priceId: next.priceId, quantity: 2, unitPrice: 500 }];
    await it.adjust(items, atEnd);
    await outgrow();
    await it.toDay(31);
    expect(await it.current()).toMatchObject({
      currentBillingPeriodStart: it.day(30),
      scheduledAdjustmentAt: null,
    });
    const after = await agreedBy(session, it.customer.id);
    expect([after.items, after.features]).toEqual([before.items, before.features]);
    expect(await amountsOf(it)).toEqual([1_200, 1_200]);
    expect((await eventsOf(session, it.id)).at(-1)).toMatchObject({
      type: 'subscription.adjustment_canceled',
      data: {
        reason: expect.stringMatching(/exceeds the maximum amount of feature/),
        newItems: [{ id: item?.id, quantity: 2, unitPrice: 500 }],
      },
    });
    await expectMoneyToAgree(session);
  });

  test('and was paid for meanwhile goes to the credit balance, and the subscription continues', async ({
    session,
  }) => {
    const { it, next, outgrow } = await outgrown(session);
    await it.pays('sandbox_slow', { default: true });
    await it.toDay(15);
    const items = [{ priceId: next.priceId, quantity: 4, name: 'Four' }];
    const { billingRunId } = await it.adjust(items, now, AbortSignal.timeout(0));
    await outgrow();
    await it.toDay(16);
    expect(await it.charges()).toMatchObject([
      { amount: 1_200, status: 'succeeded' },
      { amount: 400, status: 'succeeded' },
    ]);
    const { creditBalance } = await it.fresh().em.findOneOrFail(Customer, it.customer.id);
    expect(creditBalance).toBe(400);
    expect(await it.fresh().em.findOneOrFail(BillingRun, billingRunId ?? '')).toMatchObject({
      status: 'aborted',
      errorDetails: expect.stringMatching(/exceeds the maximum amount of feature/),
    });
    expect(await it.items()).toMatchObject([{ unitPrice: 1_200, expiredAt: null }]);
    expect((await eventsOf(session, it.id)).at(-1)).toMatchObject({
      type: 'subscription.adjustment_canceled',
      data: {
        reason: expect.stringMatching(/exceeds the maximum amount of feature/),
        oldItems: [{ unitPrice: 1_200 }],
        newItems: [{ id: null, name: 'Four', quantity: 4, unitPrice: 500 }],
      },
    });
    // The balance is not counted for the period a second time: the same change costs as much again.
    const cheaper = [{ priceId: await it.monthly(2_000) }];
    const { amountDue, prorationAmount } = await it.preview(cheaper);
    expect([prorationAmount, amountDue]).toEqual([373, 0]);
    await it.toDay(31);
    expect(await it.charges()).toMatchObject([{}, {}, { amount: 800 }]);
    await expectMoneyToAgree(session);
  });
});
