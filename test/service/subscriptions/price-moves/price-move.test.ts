// @module-tag long
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { PriceMove } from '#domain/model/subscriptions/price-move.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionPhase } from '#domain/model/subscriptions/subscription-phase.ts';
import type { PhaseInput } from '#domain/subscriptions/adjusting/phase-input.ts';
import { createPriceMove } from '#domain/subscriptions/commands/price-moves/create-price-move.ts';
import { stopPriceMove } from '#domain/subscriptions/commands/price-moves/stop-price-move.ts';
import { moveSubscribers } from '#domain/subscriptions/commands/subscription-adjustments/move-subscribers.ts';
import { previewPriceMove } from '#domain/subscriptions/commands/subscription-adjustments/preview-price-move.ts';
import { createSubscriptionPhase } from '#domain/subscriptions/commands/subscription-phases/create-subscription-phase.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { refused } from '../../../support/adjustments.ts';
import { aCustomer, aPaymentMethod, aPriceOf, aSubscription } from '../../../support/factories.ts';
import { testAlone } from '../../../support/test.ts';
import { eventsOf, fresh, subscriptionOf } from '../../../support/timeline.ts';

const test = testAlone('it runs jobs, which work for all organizations');

/** Subscriptions to an old price of 1000, one of them with a negotiated price, and a new price of 1200. */
async function subscribers(session: Session, count: number) {
  const [from, to] = [await aPriceOf(session, {}), await aPriceOf(session, { unitPrice: 1_200 })];
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId);
    const items = [{ priceId: from, ...(nth === 0 && { unitPrice: 800 }) }];
    ids.push((await aSubscription(session, { customerId, priceId: null, items })).id);
  }
  return { from, to, ids };
}

const move = (session: Session, priceMove: Parameters<typeof createPriceMove>[1]['priceMove']) =>
  createPriceMove(fresh(session), { priceMove });

const work = ({ em, now }: Session) =>
  moveSubscribers(em.fork(), now, 'move-subscribers', (error) => {
    throw error;
  });

const pricesOf = async (session: Session, ids: readonly string[]) => {
  const of = { subscription: { $in: [...ids] }, expiredAt: null };
  const items = await fresh(session).em.find(SubscriptionItem, of, {
    orderBy: { position: 'asc' },
  });
  return items.map(({ unitPrice }) => unitPrice);
};

const stateOf = (session: Session, id: string) => fresh(session).em.findOneOrFail(PriceMove, id);

describe('a move of the subscribers of a price', () => {
  test('shows its sums and examples before, and changes nothing', async ({ session }) => {
    const { from, to, ids } = await subscribers(session, 3);
    const preview = await previewPriceMove(fresh(session), {
      priceMove: { fromPriceId: from, toPriceId: to },
    });
    expect(preview).toMatchObject({ subscriptionCount: 3, currentTotal: 2_800, newTotal: 3_200 });
    expect(preview.examples.map(({ canAdjust }) => canAdjust)).toEqual([true, true, true]);
    expect(await pricesOf(session, ids)).toEqual([800, 1_000, 1_000]);
  });

  test('adjusts each immediately, keeps negotiated prices, and lists those that cannot be moved', async ({
    session,
  }) => {
    const { from, to, ids } = await subscribers(session, 4);
    const timing = 'at_end_of_current_billing_period' as const;
    await cancelSubscription(fresh(session), { id: ids[3] ?? '', cancellation: { timing } });
    const { id } = await move(session, {
      fromPriceId: from,
      toPriceId: to,
      timing: 'immediately',
      prorate: false,
    });
    await expect(move(session, { fromPriceId: from, toPriceId: to })).rejects.toMatchObject(
      refused('priceMove.fromPriceId', /is being moved from already/),
    );
    await work(session);
    expect(await pricesOf(session, ids)).toEqual([800, 1_200, 1_200, 1_000]);
    expect(await stateOf(session, id)).toMatchObject({
      status: 'completed',
      subscriptionCount: 4,
      movedCount: 3,
      failedCount: 1,
      failures: [
        { subscriptionId: ids[3], reason: expect.stringMatching(/scheduled cancellation/) },
      ],
    });
    expect(await subscriptionOf(session, ids[1] ?? '')).toMatchObject({ priceId: to });
    const types = (await eventsOf(session, id)).map(({ type }) => type);
    expect(types[0]).toBe('price_move.created');
    expect(types.at(-1)).toBe('price_move.updated');
  });

  test('schedules each for the end of its period, once however often it crashes', async ({
    session,
  }) => {
    const { from, to, ids } = await subscribers(session, 3);
    const { id } = await move(session, { fromPriceId: from, toPriceId: to });
    const [first = ''] = ids.toSorted();
    await work(session);
    // As if the process had stopped after the adjustment of the first, and before it was counted.
    await fresh(session).em.execute(
      `update price_move set status = 'running', finished_at = null, moving_id = ?, cursor = null, moved_count = 0,
         lease_until = clock_timestamp() - interval '1 second' where id = ?`,
      [first, id],
    );
    await Promise.all([work(session), work(session)]);
    expect(await stateOf(session, id)).toMatchObject({
      status: 'completed',
      movedCount: 3,
      failedCount: 0,
    });
    for (const one of ids) {
      const { scheduledAdjustment } = await subscriptionOf(session, one);
      expect(scheduledAdjustment?.items).toMatchObject([{ priceId: to }]);
    }
  });

  test('gives planned phases the new price, also of subscriptions without the old one', async ({
    session,
  }) => {
    const { from, to, ids } = await subscribers(session, 2);
    const other = await aPriceOf(session, { unitPrice: 500 });
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId);
    const later = await aSubscription(session, { customerId, priceId: other });
    const startsAt = new Date('2100-01-01');
    const plan = (subscriptionId: string, items: PhaseInput['items']) =>
      createSubscriptionPhase(fresh(session), {
        subscriptionPhase: { subscriptionId, startsAt, items },
      });
    const own = await plan(ids[0] ?? '', [
      { priceId: from, quantity: 3, unitPrice: 700 },
      { priceId: other },
    ]);
    const first = await plan(later.id, [{ priceId: from, name: 'Pro' }]);
    const untouched = await plan(ids[1] ?? '', [{ priceId: other }]);
    const priceMove = { fromPriceId: from, toPriceId: to };
    expect(await previewPriceMove(fresh(session), { priceMove })).toMatchObject({
      subscriptionCount: 3,
      phaseCount: 2,
    });
    const { id } = await move(session, priceMove);
    await Promise.all([work(session), work(session)]);
    await work(session);
    const itemsOf = async (phase: SubscriptionPhase) =>
      (await fresh(session).em.findOneOrFail(SubscriptionPhase, phase.id)).items;
    expect(await itemsOf(own)).toEqual([
      { priceId: to, quantity: 3, unitPrice: 700 },
      { priceId: other, quantity: 1 },
    ]);
    expect(await itemsOf(first)).toEqual([{ priceId: to, quantity: 1, name: 'Pro' }]);
    expect(await itemsOf(untouched)).toEqual([{ priceId: other, quantity: 1 }]);
    expect((await eventsOf(session, first.id)).map(({ type }) => type)).toEqual([
      'subscription_phase.created',
      'subscription_phase.updated',
    ]);
    expect(await stateOf(session, id)).toMatchObject({
      status: 'completed',
      subscriptionCount: 3,
      movedCount: 3,
      failedCount: 0,
    });
  });

  test('ends a discount that a planned phase ends, at the new price', async ({ session }) => {
    const { from, to, ids } = await subscribers(session, 1);
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId);
    const items = [{ priceId: to, unitPrice: 900 }];
    const moved = await aSubscription(session, { customerId, priceId: null, items });
    const plan = (subscriptionId: string, unitPrice: number) =>
      createSubscriptionPhase(fresh(session), {
        subscriptionPhase: {
          subscriptionId,
          startsAt: new Date('2100-01-01'),
          items: [{ priceId: from, unitPrice }],
        },
      });
    const phases = [await plan(ids[0] ?? '', 1_000), await plan(moved.id, 700)];
    const itemsOf = async () => {
      const found = fresh(session).em.find(
        SubscriptionPhase,
        phases.map(({ id }) => id),
      );
      const order = new Map((await found).map(({ id, items }) => [id, items]));
      return phases.map(({ id }) => order.get(id)?.[0]);
    };
    const terms = {
      fromPriceId: from,
      toPriceId: to,
      timing: 'immediately',
      prorate: false,
    } as const;
    await move(session, { ...terms, keepNegotiatedPrices: true });
    await work(session);
    expect(await pricesOf(session, ids)).toEqual([800]);
    expect(await itemsOf()).toEqual([
      { priceId: to, quantity: 1, unitPrice: 1_200 },
      { priceId: to, quantity: 1, unitPrice: 700 },
    ]);
    await fresh(session).em.nativeUpdate(
      SubscriptionPhase,
      { id: phases[1]?.id ?? '' },
      { items: [{ priceId: from, quantity: 1, unitPrice: 700 }] },
    );
    await move(session, { ...terms, keepNegotiatedPrices: false });
    await work(session);
    // Nor does it take a discount that the present item gets.
    const ended = { priceId: to, quantity: 1, unitPrice: 1_200, discountPercentage: null };
    expect((await itemsOf())[1]).toEqual(ended);
  });

  test('leaves a due phase planned at the new price where it begins a period of another interval', async ({
    session,
  }) => {
    const { from, ids } = await subscribers(session, 1);
    const to = await aPriceOf(session, { unitPrice: 9_000, intervalUnit: 'year' });
    const phase = await createSubscriptionPhase(fresh(session), {
      subscriptionPhase: {
        subscriptionId: ids[0] ?? '',
        startsAt: new Date('2100-01-01'),
        items: [{ priceId: from, quantity: 2 }],
      },
    });
    await fresh(session).em.execute(
      `update subscription_phase set starts_at = clock_timestamp() where id = ?`,
      [phase.id],
    );
    const priceMove = { fromPriceId: from, toPriceId: to, timing: 'immediately' } as const;
    expect(await previewPriceMove(fresh(session), { priceMove })).toMatchObject({ phaseCount: 1 });
    const { id } = await move(session, priceMove);
    await work(session);
    expect(await stateOf(session, id)).toMatchObject({ movedCount: 1, failedCount: 0 });
    expect(await subscriptionOf(session, ids[0] ?? '')).toMatchObject({ interval: 'year' });
    expect(await fresh(session).em.findOneOrFail(SubscriptionPhase, phase.id)).toMatchObject({
      status: 'planned',
      items: [{ priceId: to, quantity: 2 }],
    });
  });

  test('lists a subscription with a phase that could not start at the new price', async ({
    session,
  }) => {
    const { ids } = await subscribers(session, 1);
    const from = await aPriceOf(session, { unitPrice: 0 });
    const to = await aPriceOf(session, { unitPrice: 1_200, currency: 'EUR' });
    const phase = await createSubscriptionPhase(fresh(session), {
      subscriptionPhase: {
        subscriptionId: ids[0] ?? '',
        startsAt: new Date('2100-01-01'),
        items: [{ priceId: from }],
      },
    });
    const { id } = await move(session, { fromPriceId: from, toPriceId: to });
    await work(session);
    expect(await stateOf(session, id)).toMatchObject({
      movedCount: 0,
      failedCount: 1,
      failures: [
        {
          subscriptionId: ids[0],
          reason: expect.stringMatching(`the phase ${phase.id} cannot start .* is in EUR`),
        },
      ],
    });
    expect(await fresh(session).em.findOneOrFail(SubscriptionPhase, phase.id)).toMatchObject({
      status: 'planned',
      items: [{ priceId: from, quantity: 1 }],
    });
  });

  test('stops, and leaves the rest with their price', async ({ session }) => {
    const { from, to, ids } = await subscribers(session, 2);
    const { id } = await move(session, { fromPriceId: from, toPriceId: to, timing: 'immediately' });
    expect(await stopPriceMove(fresh(session), { id })).toMatchObject({ status: 'stopped' });
    expect(await work(session)).toBe(0);
    expect(await pricesOf(session, ids)).toEqual([800, 1_000]);
  });

  test('is refused between prices that do not fit', async ({ session }) => {
    const { from } = await subscribers(session, 1);
    const euro = await aPriceOf(session, { currency: 'EUR' });
    const to = (toPriceId: string) => move(session, { fromPriceId: from, toPriceId });
    await expect(to(from)).rejects.toMatchObject(refused('priceMove.toPriceId', /must differ/));
    await expect(to(euro)).rejects.toMatchObject(refused('priceMove.toPriceId', /is in EUR/));
    await expect(to('price_none')).rejects.toMatchObject(
      refused('priceMove.toPriceId', /Unknown price/),
    );
  });
});
