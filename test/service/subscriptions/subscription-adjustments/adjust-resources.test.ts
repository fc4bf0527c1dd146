// @module-tag long
import { describe, expect } from 'vitest';
import { createSubscriptionItemFeature } from '#domain/subscriptions/commands/subscription-item-features/create-subscription-item-feature.ts';
import { agreedBy } from '../../../support/adjustments.ts';
import {
  aCatalog,
  aPlan,
  aSubscriber,
  type Subscriber,
  seated,
  withSeats,
} from '../../../support/plans.ts';
import { test as base } from '../../../support/test.ts';

const test = base.extend('catalog', ({ session }) => aCatalog(session));

const silent = { prorateCurrentBillingPeriod: false };
const atEnd = { timing: 'at_end_of_current_billing_period' } as const;

/** A change that is refused for too many claims, previewed or not, leaves everything as it was. */
async function expectRefusal(
  it: Subscriber,
  items: Parameters<Subscriber['adjust']>[0],
  options: Parameters<Subscriber['adjust']>[1],
  [capacity, claimed]: readonly [number, number],
) {
  const [seats, agreed] = [await it.seats(), await agreedBy(it.fresh(), it.customer.id)];
  const reason = new RegExp(
    `cannot be reduced to ${capacity}: ${claimed} are claimed or reserved, so release ${claimed - capacity} first`,
  );
  expect(await it.preview(items, options)).toMatchObject({
    canAdjust: false,
    reason: expect.stringMatching(reason),
  });
  await expect(it.adjust(items, options)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringMatching(reason),
  });
  expect(await it.seats()).toBe(seats);
  expect(await agreedBy(it.fresh(), it.customer.id)).toEqual(agreed);
}

describe('an adjustment at once', () => {
  test('to more seats that is being paid for leaves capacity and claims as they are until then', async ({
    session,
    catalog,
  }) => {
    const it = await withSeats(session, catalog, [5], 3);
    await it.pays('sandbox_slow', { default: true });
    await it.toDay(15);
    const { billingRunId } = await it.adjust([await seated(session, catalog, 10, 2_000)]);
    expect(billingRunId).not.toBeNull();
    expect(await it.seats()).toBe('5/3/2');
    await it.toDay(16);
    expect(await it.seats()).toBe('10/3/7');
  });

  test('to fewer seats that is being paid for lets no caller claim what it will not leave', async ({
    session,
    catalog,
  }) => {
    const it = await withSeats(session, catalog, [10], 3);
    await it.pays('sandbox_slow', { default: true });
    await it.toDay(15);
    await it.adjust([await seated(session, catalog, 5, 5_000)]);
    await expect(it.claim({ quantity: 3 })).rejects.toThrow('3 requested, 2 available, 5 in total');
    await expect(it.reserve(3)).rejects.toThrow('2 available');
    await it.claim({ quantity: 1 });
    expect(await it.seats()).toBe('5/4/1');
    await it.toDay(16);
    expect(await it.seats()).toBe('5/4/1');
  });

  test('that is not paid for in the end gives the capacity back that it would not have left', async ({
    session,
    catalog,
  }) => {
    const it = await withSeats(session, catalog, [10], 3);
    await it.pays('sandbox_requires_action', { default: true });
    await it.toDay(15);
    await it.adjust([await seated(session, catalog, 5, 5_000)]);
    await expect(it.claim({ quantity: 3 })).rejects.toThrow('2 available');
    await it.toDay(16);
    await it.claim({ quantity: 7 });
    expect(await it.seats()).toBe('10/10/0');
  });

  test.for([
    ['without proration to more seats', 5, 3, 10, '10/3/7'],
    ['to fewer seats that suffice', 10, 3, 5, '5/3/2'],
    ['to just as many as are claimed', 10, 5, 5, '5/5/0'],
  ] as const)(
    '%s keeps the claims',
    async ([, before, claims, after, left], { session, catalog }) => {
      const it = await withSeats(session, catalog, [before], claims);
      await it.adjust([await seated(session, catalog, after)], silent);
      expect(await it.seats()).toBe(left);
    },
  );

  test('to a dearer plan with too few seats is refused', async ({ session, catalog }) => {
    const it = await withSeats(session, catalog, [10], 8);
    await it.toDay(15);
    await expectRefusal(it, [await seated(session, catalog, 5, 5_000)], {}, [5, 8]);
    expect(await it.charges()).toHaveLength(1);
  });

  test.for([{ timing: 'immediately' }, atEnd, { timing: 'auto' }] as const)(
    'and at the end of the period ($timing): to fewer seats than are claimed is refused',
    async (options, { session, catalog }) => {
      const it = await withSeats(session, catalog, [10], 5);
      await expectRefusal(it, [await seated(session, catalog, 3, 500)], options, [3, 5]);
    },
  );

  test('that drops the resource altogether is refused while there are claims of it', async ({
    session,
    catalog,
  }) => {
    const it = await withSeats(session, catalog, [5], 1);
    const without = await aPlan(session, {});
    await expectRefusal(it, [without], silent, [0, 1]);
    await expectRefusal(it, [without], atEnd, [0, 1]);
    await it.release(1);
    await it.adjust([without], silent);
    expect(await it.seats()).toBe('0/0/0');
  });

  test('that drops an add-on goes by the seats of what is left', async ({ session, catalog }) => {
    const it = await withSeats(session, catalog, [3, 2], 4);
    expect(await it.seats()).toBe('5/4/1');
    const [first] = await it.items();
    await expectRefusal(it, [{ id: first?.id }], silent, [3, 4]);
    await it.release(2);
    await it.adjust([{ id: first?.id }], silent);
    expect(await it.seats()).toBe('3/2/1');
  });

  test('to as many seats leaves claiming and releasing as they were', async ({
    session,
    catalog,
  }) => {
    const claims = await withSeats(session, catalog, [5], 2);
    await claims.adjust([await seated(session, catalog, 5)], silent);
    await claims.claim({ quantity: 2 });
    expect(await claims.seats()).toBe('5/4/1');
    const releases = await withSeats(session, catalog, [5], 3);
    await releases.adjust([await seated(session, catalog, 5)], silent);
    await releases.release(1);
    expect(await releases.seats()).toBe('5/2/3');
  });

  test('to as many seats as are claimed leaves none for another claim', async ({
    session,
    catalog,
  }) => {
    const it = await withSeats(session, catalog, [3], 2);
    await it.adjust([await seated(session, catalog, 2)], silent);
    expect(await it.seats()).toBe('2/2/0');
    await expect(it.claim({ quantity: 1 })).rejects.toThrow('1 requested, 0 available, 2 in total');
  });

  test('counts seats for each unit of an item, and those that continue by its id', async ({
    session,
    catalog,
  }) => {
    const { priceId } = await seated(session, catalog, 2);
    const it = await aSubscriber(session, catalog, [{ priceId, quantity: 3 }]);
    await it.claim({ quantity: 5 });
    const [item] = await it.items();
    await expectRefusal(it, [{ id: item?.id, quantity: 2 }], silent, [4, 5]);
    await expectRefusal(it, [{ priceId, quantity: 2 }], silent, [4, 5]);
    await it.release(1);
    await it.adjust([{ id: item?.id, quantity: 2 }], silent);
    expect(await it.seats()).toBe('4/4/0');
  });

  test('allows what it leaves: an amount that was changed since is at least one', async ({
    session,
    catalog,
  }) => {
    const { priceId } = await seated(session, catalog, 1);
    const it = await aSubscriber(session, catalog, [{ priceId, quantity: 3 }]);
    await it
      .fresh()
      .em.execute(`update subscription_item_feature set amount = 1 where subscription_id = ?`, [
        it.id,
      ]);
    await it.claim({ quantity: 1 });
    const [item] = await it.items();
    await it.adjust([{ id: item?.id, quantity: 1 }], silent);
    expect(await it.seats()).toBe('1/1/0');
  });

  test('to another product counts once what it has by hand and the product grants, too', async ({
    session,
    catalog,
  }) => {
    const other = await seated(session, catalog, 4);
    const it = await aSubscriber(session, catalog, [await seated(session, catalog, 2)]);
    const [item] = await it.items();
    const [featureId = ''] = other.featureIds;
    await createSubscriptionItemFeature(it.fresh(), {
      subscriptionItemFeature: {
        subscriptionItemId: item?.id ?? '',
        featureId,
        type: 'resource',
        resourceId: catalog.resource.id,
        amount: 3,
        manuallyCreated: true,
      },
    });
    await it.claim({ quantity: 4 });
    await expectRefusal(it, [{ id: item?.id, priceId: other.priceId }], silent, [3, 4]);
    await it.release(1);
    await it.adjust([{ id: item?.id, priceId: other.priceId }], silent);
    expect(await it.seats()).toBe('3/3/0');
  });
});
