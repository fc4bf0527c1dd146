// @module-tag long
import { describe, expect } from 'vitest';
import { confirmReservation } from '#domain/capacity/commands/reservations/confirm-reservation.ts';
import { updateFeature } from '#domain/catalog/commands/features/update-feature.ts';
import { expireProductFeature } from '#domain/catalog/commands/product-features/expire-product-feature.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { expireSubscriptionItemFeature } from '#domain/subscriptions/commands/subscription-item-features/expire-subscription-item-feature.ts';
import { addFeatureToSubscription } from '#domain/subscriptions/commands/subscriptions/add-feature-to-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import { shown } from '../../../support/adjustments.ts';
import {
  aCatalog,
  aPlan,
  aSubscriber,
  type Subscriber,
  seated,
  withSeats,
} from '../../../support/plans.ts';
import { test as base } from '../../../support/test.ts';
import { eventsOf } from '../../../support/timeline.ts';

const test = base.extend('catalog', ({ session }) => aCatalog(session));

const silent = { prorateCurrentBillingPeriod: false };
const atEnd = { timing: 'at_end_of_current_billing_period' } as const;

const activeItems = async (it: Subscriber) =>
  (await it.items()).filter(({ expiredAt }) => expiredAt === null);

describe('an adjustment at the end of the period', () => {
  test('leaves the seats as they are until then', async ({ session, catalog }) => {
    const it = await withSeats(session, catalog, [10], 3);
    await it.adjust([await seated(session, catalog, 5)], atEnd);
    expect(await it.seats()).toBe('10/3/7');
    await it.toDay(31);
    expect(await it.seats()).toBe('5/3/2');
  });

  test('makes claims beyond what it leaves temporary: they end with the period', async ({
    session,
    catalog,
  }) => {
    const it = await withSeats(session, catalog, [3], 2);
    await it.adjust([await seated(session, catalog, 2)], atEnd);
    const items = await it.items();
    expect(items.map(({ addedDate, expiredAt }) => [addedDate, expiredAt])).toEqual([
      [it.day(0), it.day(30)],
      [it.day(30), null],
    ]);
    const { claims } = await it.claim({ quantity: 1 });
    expect(claims).toMatchObject([{ expiredAt: it.day(30) }]);
    expect(await it.seats()).toBe('3/3/0');
    await it.toDay(30);
    expect(await it.seats()).toBe('2/2/0');
    await it.toDay(31);
    expect(await it.seats()).toBe('2/2/0');
  });

  test('of an item that continues makes claims beyond what it leaves temporary, too', async ({
    session,
    catalog,
  }) => {
    const plan = await seated(session, catalog, 2, 500);
    const less = await seated(session, catalog, 1, 300);
    for (const [changed, left] of [
      [{ quantity: 1 }, '2/2/0'],
      [{ priceId: less.priceId, quantity: 3 }, '3/3/0'],
    ] as const) {
      const it = await aSubscriber(session, catalog, [{ priceId: plan.priceId, quantity: 3 }]);
      const [item] = await it.items();
      await it.claim({ quantity: 1 });
      await it.adjust([{ id: item?.id, ...changed }], atEnd);
      await it.claim({ quantity: 5 });
      expect(await it.seats()).toBe('6/6/0');
      await it.toDay(30);
      expect(await it.seats()).toBe(left);
      await it.toDay(31);
      expect(await it.seats()).toBe(left);
    }
  });

  test('counts what is added by hand and is there by then, and what the plan brings anyway only once', async ({
    session,
    catalog,
  }) => {
    const small = await seated(session, catalog, 3, 500);
    const more = await seated(session, catalog, 2);
    const it = await withSeats(session, catalog, [5], 0);
    const add = (featureId = '') => addFeatureToSubscription(it.fresh(), { id: it.id, featureId });
    await add(small.featureIds[0]);
    await it.adjust([small], atEnd);
    await it.claim({ quantity: 6 });
    const temporary = () =>
      it.fresh().em.count(ResourceClaim, { subscriptionId: it.id, expiredAt: it.day(30) });
    expect(await temporary()).toBe(3);
    await add(more.featureIds[0]);
    expect(await temporary()).toBe(1);
    await it.toDay(31);
    expect(await it.seats()).toBe('5/5/0');
    expect((await it.charges()).map(({ amount }) => amount)).toEqual([1_000, 500]);
  });

  test('does not count on what expires before it', async ({ session, catalog }) => {
    const it = await withSeats(session, catalog, [5], 0);
    const more = await seated(session, catalog, 3);
    const added = await addFeatureToSubscription(it.fresh(), {
      id: it.id,
      featureId: more.featureIds[0] ?? '',
    });
    await expireSubscriptionItemFeature(it.fresh(), { id: added.id, expiredAt: it.day(10) });
    await it.adjust([await seated(session, catalog, 4, 500)], atEnd);
    await it.claim({ quantity: 8 });
    await it.toDay(31);
    expect(await it.seats()).toBe('4/4/0');
  });

  test('is not delayed by a reservation: one that it leaves no room for is over when it is made', async ({
    session,
    catalog,
  }) => {
    const it = await withSeats(session, catalog, [3], 2);
    await it.adjust([await seated(session, catalog, 2, 500)], atEnd);
    await it.toDay(29.5);
    const { reservation } = await it.reserve(1, { ttlSeconds: 86_400 });
    expect(reservation.expiresAt).toEqual(it.day(30));
    await it.toDay(31);
    expect(await it.seats()).toBe('2/2/0');
  });

  test('leaves the room of what is reserved for longer to it: newer claims are temporary', async ({
    session,
    catalog,
  }) => {
    const it = await withSeats(session, catalog, [5], 0);
    await it.adjust([await seated(session, catalog, 2, 500)], atEnd);
    await it.toDay(29.5);
    const { reservation } = await it.reserve(1, { ttlSeconds: 86_400 });
    expect(reservation.expiresAt).toEqual(it.day(30.5));
    const { claims } = await it.claim({ quantity: 4 });
    expect(claims.filter(({ expiredAt }) => expiredAt != null)).toHaveLength(3);
    await it.toDay(30.1);
    expect(await it.seats()).toBe('2/1/0');
    const confirmed = await confirmReservation(it.fresh(), { id: reservation.id });
    expect(confirmed.claims).toHaveLength(1);
    expect(await it.seats()).toBe('2/2/0');
  });

  test('is dropped with a reason when there is no room for claims, and the items are as before', async ({
    session,
    catalog,
  }) => {
    const { priceId } = await seated(session, catalog, 2, 500);
    const it = await aSubscriber(session, catalog, [{ priceId, quantity: 3 }]);
    const [item] = await it.items();
    const more = await seated(session, catalog, 1);
    const added = await addFeatureToSubscription(it.fresh(), {
      id: it.id,
      featureId: more.featureIds[0] ?? '',
    });
    await it.claim({ quantity: 1 });
    await it.adjust([{ id: item?.id, quantity: 1 }], atEnd);
    await it.claim({ quantity: 2 });
    // A feature that is removed leaves its claims active.
    await expireSubscriptionItemFeature(it.fresh(), { id: added.id, expiredAt: it.day(20) });
    await it.toDay(31);
    const items = (await it.items()).filter(({ manuallyCreated }) => !manuallyCreated);
    expect(items).toMatchObject([{ id: item?.id, expiredAt: null, quantity: 3 }]);
    expect(await it.current()).toMatchObject({
      scheduledAdjustmentAt: null,
      currentBillingPeriodStart: it.day(30),
    });
    expect(await it.seats()).toBe('6/3/3');
    const told = (await eventsOf(session, it.id)).filter(({ type }) => /adjust/.test(type));
    expect(told.map(({ type }) => type)).toEqual([
      'subscription.adjustment_scheduled',
      'subscription.adjustment_canceled',
    ]);
    expect(JSON.stringify(told[1]?.data)).toContain(
      'cannot be reduced to 2: 3 are claimed or reserved, so release 1 first',
    );
    expect((await it.charges()).map(({ amount }) => amount)).toEqual([1_500, 1_500]);
  });

  test('that gives an item an end makes the claims end with it', async ({ session, catalog }) => {
    const it = await withSeats(session, catalog, [5], 5);
    const [item] = await it.items();
    const ending = { id: item?.id, unitPrice: 500, expiredAt: it.day(45) };
    await it.adjust([ending] as never, atEnd);
    await it.toDay(31);
    expect(await it.seats()).toBe('5/5/0');
    await it.toDay(46);
    expect(await it.seats()).toBe('0/0/0');
  });

  test('leaves claims no end that they would have had with it, when it is dropped', async ({
    session,
    catalog,
  }) => {
    const credits = await aPlan(session, { unitPrice: 100, features: [catalog.credits(100)] });
    const seats = await seated(session, catalog, 5, 100);
    const it = await withSeats(session, catalog, [5], 5);
    const [item] = await it.items();
    const goingOn = { id: item?.id, priceId: credits.priceId, quantity: 2, unitPrice: 100 };
    const ending = { priceId: seats.priceId, expiredAt: it.day(45) };
    await it.adjust([goingOn, ending] as never, atEnd);
    const amount = Number.MAX_SAFE_INTEGER;
    await updateFeature(it.fresh(), { id: credits.featureIds[0] ?? '', feature: { amount } });
    await it.toDay(46);
    expect(await it.seats()).toBe('5/5/0');
  });

  test('is checked again by the seats that the new items have, whatever their product grants by now', async ({
    session,
    catalog,
  }) => {
    const plan = await seated(session, catalog, 4, 500);
    const it = await withSeats(session, catalog, [5], 3);
    await it.adjust([plan], atEnd);
    const grant = await it.fresh().em.findOneOrFail(ProductFeature, { product: plan.productId });
    await expireProductFeature(it.fresh(), { id: grant.id });
    await it.toDay(31);
    expect(shown(await activeItems(it))).toEqual(['500×1']);
    expect(await it.seats()).toBe('4/3/1');
  });

  test('that is reverted makes temporary claims lasting again', async ({ session, catalog }) => {
    const it = await withSeats(session, catalog, [5], 2);
    await it.adjust([await seated(session, catalog, 3, 500)], atEnd);
    await it.claim({ quantity: 3 });
    const ends = async () =>
      (
        await it
          .fresh()
          .em.find(ResourceClaim, { subscriptionId: it.id }, { orderBy: { expiredAt: 'asc' } })
      ).map(({ expiredAt }) => expiredAt ?? null);
    expect((await ends()).filter((end) => end !== null)).toEqual([it.day(30), it.day(30)]);
    await it.cancelScheduled();
    expect(await ends()).toEqual([null, null, null, null, null]);
    await it.toDay(31);
    expect(await it.seats()).toBe('5/5/0');
  });

  test.for(['an adjustment', 'a cancellation'])(
    '%s that is reverted leaves claims temporary that end with something else',
    async (what, { session, catalog }) => {
      const five = await seated(session, catalog, 5);
      const two = await seated(session, catalog, 2, 0);
      for (const day of [10, 30]) {
        const it = await aSubscriber(session, catalog, [five]);
        const [item] = await it.items();
        const ending = { priceId: two.priceId, expiredAt: it.day(day) };
        await it.adjust([{ id: item?.id }, ending] as never, silent);
        const isAdjustment = what === 'an adjustment';
        if (isAdjustment) await it.adjust([{ id: item?.id, unitPrice: 900 }] as never, atEnd);
        else await cancelSubscription(it.fresh(), { id: it.id, cancellation: atEnd });
        const { claims } = await it.claim({ quantity: 7 });
        const ends = claims.flatMap(({ expiredAt }) => expiredAt ?? []).sort();
        expect(ends.filter((end) => end.getTime() === it.day(day).getTime()).length).toBe(
          isAdjustment || day === 10 ? 2 : 7,
        );
        if (isAdjustment) await it.cancelScheduled();
        else await uncancelSubscription(it.fresh(), { id: it.id });
        expect(await it.seats()).toBe('7/7/0');
        await it.toDay(day);
        expect(await it.seats()).toBe('5/5/0');
        await it.toDay(31);
        expect(await it.seats()).toBe('5/5/0');
      }
    },
  );
});

describe('an adjustment at once', () => {
  test('that takes the end of an item away makes the claims last that were to end with it', async ({
    session,
    catalog,
  }) => {
    const it = await aSubscriber(session, catalog, [await seated(session, catalog, 5)]);
    const [item] = await it.items();
    const { priceId } = await seated(session, catalog, 2, 0);
    const ending = { priceId, expiredAt: it.day(10) };
    await it.adjust([{ id: item?.id }, ending] as never, silent);
    await it.claim({ quantity: 7 });
    await it.adjust([{ id: item?.id }, { priceId }], silent);
    expect(await it.seats()).toBe('7/7/0');
    await it.toDay(11);
    expect(await it.seats()).toBe('7/7/0');
  });

  test('that gives an item an end makes the newest claims end with it', async ({
    session,
    catalog,
  }) => {
    const it = await aSubscriber(session, catalog, [await seated(session, catalog, 5)]);
    const [item] = await it.items();
    const { priceId } = await seated(session, catalog, 2, 0);
    await it.adjust([{ id: item?.id }, { priceId }], silent);
    await it.claim({ quantity: 7 });
    const second = (await it.items()).find(({ id }) => id !== item?.id);
    const ending = { id: second?.id, expiredAt: it.day(10) };
    await it.adjust([{ id: item?.id }, ending] as never, silent);
    expect(await it.seats()).toBe('7/7/0');
    await it.toDay(11);
    expect(await it.seats()).toBe('5/5/0');
  });
});
