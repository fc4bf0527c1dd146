import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { addFeatureToSubscription } from '#domain/subscriptions/commands/subscriptions/add-feature-to-subscription.ts';
import { aProduct, aToggle } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import {
  advance,
  aTimedSubscription,
  at,
  fresh,
  periodsOf,
  subscriptionOf,
} from '../../../support/timeline.ts';

/** A further item, as an adjustment leaves it. */
async function addItem(
  session: Session,
  subscriptionId: string,
  item: { name: string; unitPrice: number; quantity?: number; addedDate: Date; expiredAt?: Date },
) {
  const product = await aProduct(session, { price: { unitPrice: item.unitPrice } });
  const { em } = fresh(session);
  const subscription = await subscriptionOf(session, subscriptionId);
  const price = await em.findOneOrFail(Price, { product: product.id });
  const { customerId } = subscription;
  em.create(SubscriptionItem, {
    subscription: subscriptionId,
    customerId,
    price,
    quantity: 1,
    ...item,
  });
  await em.flush();
  return price.id;
}

/** The items that are charged in each period, by name. */
const chargedFor = async (session: Session, id: string) =>
  (await periodsOf(session, id)).map(({ items }) =>
    items.getItems().map(({ name, unitPrice, quantity }) => `${name}: ${quantity} × ${unitPrice}`),
  );

test('a period charges for the items of its first instant: begun by then, and not ended', async ({
  session,
}) => {
  const { clockId, id } = await aTimedSubscription(session, { paid: true, quantity: 2 });
  const add = (name: string, addedDate: string, expiredAt?: string) =>
    addItem(session, id, {
      name,
      unitPrice: 10,
      addedDate: at(addedDate),
      ...(expiredAt && { expiredAt: at(expiredAt) }),
    });
  await add('from the boundary on', '2026-02-28');
  await add('a moment later', '2026-02-28T10:00:00.001Z');
  await add('until the boundary', '2026-02-01', '2026-02-28');
  await add('a moment longer', '2026-02-02', '2026-02-28T10:00:00.001Z');
  await advance(session, clockId, '2026-03-31');
  const own = expect.stringMatching(/^Pro: 2 × 1000$/);
  expect(await chargedFor(session, id)).toEqual([
    [own],
    [own, 'a moment longer: 1 × 10', 'from the boundary on: 1 × 10'],
    [own, 'from the boundary on: 1 × 10', 'a moment later: 1 × 10'],
  ]);
});

test('what was added by hand is not charged for', async ({ session }) => {
  const { clockId, id } = await aTimedSubscription(session, { paid: true });
  const { id: featureId } = await aToggle(session);
  await addFeatureToSubscription(fresh(session), { id, featureId });
  await advance(session, clockId, '2026-02-28');
  expect((await chargedFor(session, id)).map((items) => items.length)).toEqual([1, 1]);
});

test('a period keeps what was agreed when it began', async ({ session }) => {
  const { clockId, id } = await aTimedSubscription(session, { paid: true });
  await fresh(session).em.nativeUpdate(
    SubscriptionItem,
    { subscription: id },
    { unitPrice: 1_500 },
  );
  await advance(session, clockId, '2026-02-28');
  const periods = await periodsOf(session, id);
  expect(periods.map(({ items }) => items.getItems().map(({ unitPrice }) => unitPrice))).toEqual([
    [1_000],
    [1_500],
  ]);
});

test('the subscription goes by its most expensive item from the next period on', async ({
  session,
}) => {
  const { clockId, id } = await aTimedSubscription(session, { paid: true });
  const before = await subscriptionOf(session, id);
  const priceId = await addItem(session, id, {
    name: 'Scale',
    unitPrice: 400,
    quantity: 3,
    addedDate: at('2026-02-15'),
    expiredAt: at('2026-03-31'),
  });
  await advance(session, clockId, '2026-02-27');
  expect((await subscriptionOf(session, id)).priceId).toBe(before.priceId);
  await advance(session, clockId, '2026-02-28');
  expect(await subscriptionOf(session, id)).toMatchObject({ priceId, name: 'Scale' });
  await advance(session, clockId, '2026-03-31');
  expect((await subscriptionOf(session, id)).priceId).toBe(before.priceId);
});

test('of items that cost the same the newest gives the name', async ({ session }) => {
  const { clockId, id } = await aTimedSubscription(session, { paid: true });
  const add = (name: string, addedDate: string) =>
    addItem(session, id, { name, unitPrice: 1_000, addedDate: at(addedDate) });
  await add('newest', '2026-02-20');
  await add('older', '2026-02-10');
  await advance(session, clockId, '2026-02-28');
  expect((await subscriptionOf(session, id)).name).toBe('newest');
});

test('without an item that is charged for it keeps its name and its price', async ({ session }) => {
  const { clockId, id } = await aTimedSubscription(session, { paid: true });
  const { name, priceId } = await subscriptionOf(session, id);
  const { em } = fresh(session);
  await em.nativeUpdate(SubscriptionItem, { subscription: id }, { expiredAt: at('2026-02-28') });
  await advance(session, clockId, '2026-02-28');
  expect(await subscriptionOf(session, id)).toMatchObject({ name, priceId, status: 'active' });
});
