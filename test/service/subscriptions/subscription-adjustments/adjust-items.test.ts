// @module-tag long
import { describe, expect } from 'vitest';
import { createProductFeature } from '#domain/catalog/commands/product-features/create-product-feature.ts';
import type { Session } from '#domain/kernel/session.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { featureItemsOf } from '#domain/subscriptions/entitlement/feature-items.ts';
import { agreedBy, anAdjustable, refused, shown } from '../../../support/adjustments.ts';
import { aCreditGrant, aProduct, aToggle, aUsageMeter } from '../../../support/factories.ts';
import { at } from '../../../support/instants.ts';
import { aCatalog, aPlan, aSubscriber } from '../../../support/plans.ts';
import { test } from '../../../support/test.ts';

type Adjustable = Awaited<ReturnType<typeof anAdjustable>>;

const silent = { prorateCurrentBillingPeriod: false };

/** The id of the price of a product that grants these. */
async function priceWith(session: Session, featureIds: string[], unitPrice = 1_000) {
  const product = await aProduct(session, { featureIds, price: { unitPrice } });
  return (await product.prices.loadItems())[0]?.id ?? '';
}

/** The features that the subscription grants now, and how much of each. */
async function granted(it: Adjustable, day: number) {
  const session = { ...it.fresh(), now: it.day(day) };
  const items = await featureItemsOf(session, [await it.current()]);
  return Object.fromEntries(items.map(({ featureId, amount }) => [featureId, amount]));
}

describe('an item that is named by its id', () => {
  test('stays the same row, and what it grants follows how many there are', async ({ session }) => {
    const meter = await aUsageMeter(session);
    const [credits, sso] = [await aCreditGrant(session, meter.id), await aToggle(session)];
    const priceId = await priceWith(session, [credits.id, sso.id]);
    const it = await anAdjustable(session, { priceId, quantity: 2 });
    const [item] = await it.items();
    await it.toDay(3);
    const { subscriptionItems } = await it.adjust([{ id: item?.id, quantity: 3 }], silent);
    expect(subscriptionItems).toMatchObject([{ id: item?.id, addedDate: it.day(0), quantity: 3 }]);
    expect(await it.items()).toHaveLength(1);
    expect(await granted(it, 3)).toEqual({ [credits.id]: 300, [sso.id]: null });
  });

  test('may get another price: what both products grant continues, and the rest ends or begins', async ({
    session,
  }) => {
    const meter = await aUsageMeter(session);
    const credits = await aCreditGrant(session, meter.id);
    const [sso, audit] = [await aToggle(session), await aToggle(session)];
    const priceId = await priceWith(session, [credits.id, sso.id]);
    const it = await anAdjustable(session, { priceId });
    const [item] = await it.items();
    await it.toDay(3);
    const other = await priceWith(session, [credits.id, audit.id], 900);
    await it.adjust([{ id: item?.id, priceId: other, quantity: 2 }], silent);
    expect(await it.items()).toMatchObject([{ id: item?.id, unitPrice: 900, quantity: 2 }]);
    expect(await it.current()).toMatchObject({ priceId: other });
    expect(await granted(it, 3)).toEqual({ [credits.id]: 200, [audit.id]: null });
    await it.adjust([{ id: item?.id, priceId, quantity: 1 }], silent);
    expect(await granted(it, 3)).toEqual({ [credits.id]: 100, [sso.id]: null });
  });

  test('changes when the period ends, if that is when', async ({ session }) => {
    const it = await anAdjustable(session, { quantity: 3 });
    const [item] = await it.items();
    const before = await agreedBy(session, it.customer.id);
    await it.adjust([{ id: item?.id, quantity: 2 }], { timing: 'auto' });
    expect(await agreedBy(session, it.customer.id)).toMatchObject({ items: before.items });
    expect(await it.cancelScheduled()).toMatchObject({ canceledItemCount: 0 });
    expect(await agreedBy(session, it.customer.id)).toEqual(before);
    await it.adjust([{ id: item?.id, quantity: 2 }], { timing: 'auto' });
    await it.toDay(30);
    expect(await it.items()).toMatchObject([{ id: item?.id, quantity: 2, addedDate: it.day(0) }]);
    expect((await it.charges()).map(({ amount }) => amount)).toEqual([3_000, 2_000]);
  });

  test.for([
    ['at once', 15, 3, silent],
    ['at once', 15, 15, silent],
    ['at the end of the period', 15, 20, { timing: 'auto' }],
    ['at the end of the period', 15, 30, { timing: 'auto' }],
  ] as const)(
    'cannot be made to end before it changes %s, on day %i by day %i',
    async ([, day, end, options], { session }) => {
      const it = await anAdjustable(session);
      await it.toDay(day);
      const [item] = await it.items();
      const before = await agreedBy(session, it.customer.id);
      const items = [{ id: item?.id, expiredAt: it.day(end) }];
      const path = 'adjustment.newSubscriptionItems.0.expiredAt';
      await expect(it.adjust(items, options)).rejects.toMatchObject(refused(path, /must be after/));
      expect(await agreedBy(session, it.customer.id)).toEqual(before);
    },
  );

  test('keeps an end that it has, also before the change', async ({ session }) => {
    const it = await anAdjustable(session);
    const [item] = await it.items();
    await it.adjust([{ id: item?.id, expiredAt: it.day(20) }], silent);
    const items = [{ id: item?.id, expiredAt: it.day(20), name: 'Renamed' }];
    await it.adjust(items, { timing: 'auto' });
    await it.toDay(31);
    expect(await it.items()).toMatchObject([{ name: 'Renamed', expiredAt: it.day(20) }]);
  });

  test('keeps what is absent, and loses what is null', async ({ session }) => {
    const it = await anAdjustable(session);
    const [item] = await it.items();
    const extras = { externalId: 'x', metadata: { a: 1 }, expiredAt: it.day(20) };
    await it.adjust([{ id: item?.id, ...extras }], silent);
    await it.adjust([{ id: item?.id, name: 'Renamed' }], silent);
    expect(await it.items()).toMatchObject([extras]);
    const none = { externalId: null, metadata: null, expiredAt: null };
    await it.adjust([{ id: item?.id, ...none }], silent);
    expect(await it.items()).toMatchObject([none]);
  });

  test('is granted what a new one would be by another product: of several grants of one resource the newest', async ({
    session,
  }) => {
    const catalog = await aCatalog(session);
    const plan = (...amounts: number[]) =>
      aPlan(session, { features: amounts.map((amount) => catalog.seats(amount)) });
    const [five, ten, both] = [await plan(5), await plan(10), await plan()];
    for (const [day, { featureIds }] of [five, ten].entries()) {
      const productFeature = { productId: both.productId, featureId: featureIds[0] ?? '' };
      await createProductFeature(at(session, session.now, day), { productFeature });
    }
    for (const { priceId } of [five, ten]) {
      const it = await aSubscriber(session, catalog, [{ priceId }]);
      const [item] = await it.items();
      await it.adjust([{ id: item?.id, priceId: both.priceId }], silent);
      expect(await it.seats()).toBe('10/0/10');
      await it.adjust([{ id: item?.id, priceId }], silent);
      expect(await it.seats()).toBe(priceId === five.priceId ? '5/0/5' : '10/0/10');
    }
  });
});

describe('an item without an id', () => {
  test('is new even if there is an equal one, and what the old one granted ends with it', async ({
    session,
  }) => {
    const sso = await aToggle(session);
    const priceId = await priceWith(session, [sso.id]);
    const it = await anAdjustable(session, { priceId });
    await it.toDay(3);
    await it.adjust([{ priceId }, { priceId }], silent);
    expect((await it.items()).map(({ expiredAt }) => expiredAt)).toEqual([it.day(3), null, null]);
    const features = await it
      .fresh()
      .em.find(SubscriptionItemFeature, { customerId: it.customer.id, feature: sso.id });
    expect(features.map(({ expiredAt }) => expiredAt ?? null).sort()).toEqual([
      it.day(3),
      null,
      null,
    ]);
  });

  test('grants what it brings from when it begins', async ({ session }) => {
    const [sso, audit] = [await aToggle(session), await aToggle(session)];
    const it = await anAdjustable(session, { priceId: await priceWith(session, [sso.id]) });
    await it.adjust([{ priceId: await priceWith(session, [audit.id], 10) }], { timing: 'auto' });
    expect(await granted(it, 30.9)).toEqual({ [sso.id]: null });
    await it.toDay(31);
    expect(await granted(it, 31)).toEqual({ [audit.id]: null });
  });
});

describe('the name and price of the subscription', () => {
  test('are those of the dearest item, whichever that is by now', async ({ session }) => {
    const it = await anAdjustable(session, { unitPrice: 1_000 });
    const [cheap, dear] = [await it.monthly(10), await it.monthly(5_000)];
    const { subscriptionItems } = await it.adjust(
      [
        { priceId: cheap, name: 'Cheap' },
        { priceId: dear, name: 'Dear' },
      ],
      silent,
    );
    expect(await it.current()).toMatchObject({ priceId: dear, name: 'Dear' });
    const id = subscriptionItems.find(({ priceId }) => priceId === cheap)?.id;
    await it.adjust([{ id }], silent);
    expect(await it.current()).toMatchObject({ priceId: cheap, name: 'Cheap' });
    await it.adjust(
      [
        { id, quantity: 1 },
        { priceId: dear, unitPrice: 1, quantity: 11, name: 'Many' },
      ],
      silent,
    );
    expect(await it.current()).toMatchObject({ priceId: dear, name: 'Many' });
    expect(shown((await it.items()).filter(({ expiredAt }) => !expiredAt))).toEqual([
      '10×1',
      '1×11',
    ]);
  });

  test('stay while a change is only scheduled', async ({ session }) => {
    const it = await anAdjustable(session);
    const { priceId, name } = await it.current();
    await it.adjust([{ priceId: await it.monthly(10), name: 'Cheap' }], { timing: 'auto' });
    expect(await it.current()).toMatchObject({ priceId, name });
    await it.toDay(30);
    expect(await it.current()).toMatchObject({ name: 'Cheap' });
  });

  test('follow the dearest of several items of one price', async ({ session }) => {
    const it = await anAdjustable(session);
    const { priceId } = await it.current();
    const small = { priceId, name: 'Small' };
    await it.adjust([small, { priceId, name: 'Large', quantity: 5 }], silent);
    expect(await it.current()).toMatchObject({ priceId, name: 'Large' });
    const [, { id } = {}] = await it.items();
    await it.adjust([{ id, name: 'Larger' }], silent);
    expect(await it.current()).toMatchObject({ priceId, name: 'Larger' });
  });

  test('follow it also when it is another one of that price from the next period on', async ({
    session,
  }) => {
    const it = await anAdjustable(session);
    const { priceId } = await it.current();
    const large = { priceId, name: 'Large', quantity: 5, expiredAt: it.day(20) };
    await it.adjust([{ priceId, name: 'Small' }, large], silent);
    expect(await it.current()).toMatchObject({ name: 'Large' });
    await it.toDay(31);
    expect(await it.current()).toMatchObject({ name: 'Small' });
    await it.adjust([{ priceId, name: 'Smaller', unitPrice: 10 }], { timing: 'auto' });
    await it.toDay(61);
    expect(await it.current()).toMatchObject({ name: 'Smaller' });
  });

  test('that it was given stay while the dearest item keeps its own, however many there are', async ({
    session,
  }) => {
    const it = await anAdjustable(session, { name: 'Ours', quantity: 3 });
    const { priceId } = await it.current();
    const [item] = await it.items();
    await it.adjust([{ id: item?.id, quantity: 4 }, { priceId: await it.monthly(1) }], silent);
    await it.adjust([{ priceId, quantity: 5 }], silent);
    await it.adjust([{ priceId, quantity: 2 }], { timing: 'auto' });
    await it.toDay(61);
    expect(await it.current()).toMatchObject({ priceId, name: 'Ours' });
  });
});
