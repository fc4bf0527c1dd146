// @module-tag long
import { describe, expect } from 'vitest';
import { aCatalog, aPlan, aSubscriber, type Subscriber } from '../../../support/plans.ts';
import { everyRow } from '../../../support/tables/rows.ts';
import { type Answer, test as base } from '../../../support/test.ts';
import { availableOf, grant, use } from '../../../support/usage.ts';

/** Half way through a period of a plan with five seats and a hundred credits, of which some are used. */
const test = base
  .extend('plan', async ({ session }) => {
    const catalog = await aCatalog(session);
    const features = [catalog.seats(5), catalog.credits(100)];
    return { catalog, ...(await aPlan(session, { features })) };
  })
  .extend('it', async ({ session, plan }) => {
    const it = await aSubscriber(session, plan.catalog, [plan]);
    await it.claim({ quantity: 2 });
    await use(session, it, 30);
    await it.toDay(15);
    return it;
  });

type Api = (method: string, path: string, body?: unknown, options?: object) => Promise<Answer>;

/** Carries out a dry run, which must succeed and leave every row as it was. */
async function dryRun(api: Api, it: Subscriber, method: string, path: string, body: unknown) {
  const rows = await everyRow(it.fresh());
  const { status, body: answer } = await api(method, path, body, {
    headers: { prefer: 'dry-run' },
  });
  expect(status, JSON.stringify(answer)).toBe(200);
  expect(await everyRow(it.fresh())).toEqual(rows);
  const { effects, ...payload } = answer;
  const types = effects.events.map(({ type }: { type: string }) => type).sort();
  return { payload, effects, types };
}

/** An answer without what differs each time: ids and the instants at which rows are written. */
const shape = (answer: unknown) =>
  JSON.parse(
    JSON.stringify(answer, (key, value) =>
      /^(id|.*Id|createdAt|updatedAt|recordedAt)$/.test(key) && value !== null ? '…' : value,
    ),
  );

describe('with Prefer: dry-run', () => {
  test('a usage event is answered as it would be counted, and is not', async ({ api, it }) => {
    const usageEvent = {
      subscriptionId: it.id,
      usageMeterSlug: it.slug,
      transactionId: 'planned',
      amount: 90,
    };
    const planned = await dryRun(api, it, 'POST', '/usage-events', { usageEvent });
    expect(planned.types).toEqual(['usage_event.recorded']);
    expect(planned.effects.events[0].data).toMatchObject({ sum: 90, count: 1 });
    const real = await api('POST', '/usage-events', { usageEvent });
    expect(shape(real.body)).toEqual(shape(planned.payload));
    expect(await availableOf(it.fresh(), it)).toBe(-20);
  });

  test('a usage event is never written with those of others that come at the same time', async ({
    api,
    it,
  }) => {
    const send = (transactionId: string, headers: Record<string, string> = {}) =>
      api(
        'POST',
        '/usage-events',
        {
          usageEvent: {
            subscriptionId: it.id,
            usageMeterSlug: it.slug,
            transactionId,
            amount: 1,
          },
        },
        { headers },
      );
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, place) =>
        place % 3 === 0 ? send(`dry-${place}`, { prefer: 'dry-run' }) : send(`real-${place}`),
      ),
    );
    for (const [place, { status, body }] of answers.entries()) {
      expect(status).toBe(200);
      expect(body.effects !== undefined).toBe(place % 3 === 0);
    }
    expect(await availableOf(it.fresh(), it)).toBe(70 - 20);
    const again = await send('dry-0');
    expect(again.headers.get('usage-duplicates')).not.toBe('1');
    expect(await availableOf(it.fresh(), it)).toBe(49);
  });

  test('usage events in bulk are answered as they would be counted, and are not', async ({
    api,
    it,
  }) => {
    const usageEvents = [40, 50].map((amount) => ({
      subscriptionId: it.id,
      usageMeterSlug: it.slug,
      transactionId: `bulk-${amount}`,
      amount,
    }));
    const planned = await dryRun(api, it, 'POST', '/usage-events/bulk', { usageEvents });
    expect(planned.types).toEqual(['usage_event.recorded']);
    const real = await api('POST', '/usage-events/bulk', { usageEvents });
    expect(shape(real.body)).toEqual(shape(planned.payload));
  });

  test('a usage event is not voided, nor its effects', async ({ api, it }) => {
    const [event] = await use(it.fresh(), it, 20);
    const path = `/usage-events/${event?.id}/void`;
    const planned = await dryRun(api, it, 'POST', path, { reason: 'A mistake' });
    expect(planned.types).toEqual(['usage_event.voided']);
    expect(await availableOf(it.fresh(), it)).toBe(50);
    const real = await api('POST', path, { reason: 'A mistake' });
    expect(shape(real.body)).toEqual(shape(planned.payload));
    expect(await availableOf(it.fresh(), it)).toBe(70);
  });

  test('credits are not given', async ({ api, it }) => {
    const usageCredit = { subscriptionId: it.id, usageMeterSlug: it.slug, amount: 12.5 };
    const planned = await dryRun(api, it, 'POST', '/usage-credits', { usageCredit });
    expect(planned.types).toEqual(['usage_credit.created']);
    expect(planned.effects.events[0].data).toMatchObject({ amount: 12.5, remaining: 12.5 });
    const real = await api('POST', '/usage-credits', { usageCredit });
    expect(shape(real.body)).toEqual(shape(planned.payload));
  });

  test('seats are neither claimed nor released nor reserved', async ({ api, it, plan }) => {
    const resourceSlug = plan.catalog.resource.slug;
    const claim = { resourceSlug, quantity: 3 };
    const claimed = await dryRun(api, it, 'POST', `/resource-claims/${it.id}/claim`, claim);
    expect(claimed.types).toEqual(Array(3).fill('resource_claim.created'));
    expect(claimed.payload).toMatchObject({ usage: { claimed: 5, available: 0 } });
    expect(claimed.payload.claims).toHaveLength(3);
    const release = { resourceSlug, quantity: 2 };
    const released = await dryRun(api, it, 'POST', `/resource-claims/${it.id}/release`, release);
    expect(released.types).toEqual(Array(2).fill('resource_claim.released'));
    expect(released.payload).toMatchObject({ usage: { claimed: 0, available: 5 } });
    const reserve = {
      subscriptionId: it.id,
      ...claim,
      usageMeterSlug: it.slug,
      usageAmount: 70,
    };
    const reserved = await dryRun(api, it, 'POST', '/reservations', reserve);
    expect(reserved.types).toEqual(['reservation.created']);
    expect(await it.seats()).toBe('5/2/3');
    expect(await availableOf(it.fresh(), it)).toBe(70);
    const real = await api('POST', '/reservations', reserve);
    expect(shape(real.body)).toEqual(shape(reserved.payload));
    const { id } = real.body.reservation;
    const confirmed = await dryRun(api, it, 'POST', `/reservations/${id}/confirm`, {});
    expect(confirmed.types).toEqual([
      'reservation.confirmed',
      ...Array(3).fill('resource_claim.created'),
      'usage_event.recorded',
    ]);
    const given = await dryRun(api, it, 'POST', `/reservations/${id}/release`, {});
    expect(given.types).toEqual(['reservation.released']);
    expect(await it.seats()).toBe('5/2/0');
  });

  test('a plan is not adjusted: neither charge nor items nor credits are there', async ({
    api,
    it,
    plan,
    session,
  }) => {
    const features = [plan.catalog.seats(8), plan.catalog.credits(400)];
    const { priceId } = await aPlan(session, { unitPrice: 3_000, features });
    const adjustment = { timing: 'auto', newSubscriptionItems: [{ priceId }] };
    const path = `/subscriptions/${it.id}/adjust`;
    const planned = await dryRun(api, it, 'POST', path, { adjustment });
    expect(planned.effects).toMatchObject({
      invoices: [{ subtotal: 1_000, status: 'paid' }],
      lineItems: [{ price: 1_000, quantity: 1 }],
      charges: [{ amount: 1_000, status: 'succeeded' }],
    });
    expect(planned.effects.entitlements).toHaveLength(4);
    expect(planned.types).toContain('subscription.adjusted');
    expect(planned.types).toContain('usage_credit.created');
    expect(await it.seats()).toBe('5/2/3');
    expect(await it.charges()).toHaveLength(1);
    const real = await api('POST', path, { adjustment });
    expect(shape(real.body)).toEqual(shape(planned.payload));
    expect(await availableOf(it.fresh(), it)).toBe(170);
  });

  test('a subscription is not canceled: its last invoice is in the effects, with the usage that is owed', async ({
    api,
    it,
  }) => {
    await use(it.fresh(), it, 170);
    const path = `/subscriptions/${it.id}/cancel`;
    const body = { cancellation: { timing: 'immediately' } };
    const planned = await dryRun(api, it, 'POST', path, body);
    expect(planned.payload).toMatchObject({ subscription: { status: 'canceled' } });
    expect(planned.effects.invoices).toMatchObject([{ total: 20 }]);
    expect(planned.effects.lineItems).toMatchObject([
      { type: 'usage', quantity: 10, price: 2, amount: 20 },
    ]);
    expect(planned.types).toContain('subscription.canceled');
    expect(planned.types.filter((type: string) => type === 'resource_claim.released')).toHaveLength(
      2,
    );
    const real = await api('POST', path, body);
    expect(shape(real.body)).toEqual(shape(planned.payload));
    expect((await it.invoices()).map(({ total }) => total)).toEqual([1_000, 20]);
  });

  test('what is refused is refused, and written nowhere either', async ({ api, it, plan }) => {
    await grant(it.fresh(), it, 5);
    const headers = { prefer: 'dry-run' };
    const rows = await everyRow(it.fresh());
    for (const [path, body] of [
      ['/usage-events', { usageEvent: { subscriptionId: it.id, transactionId: 'x', amount: 1 } }],
      [
        `/resource-claims/${it.id}/claim`,
        { resourceSlug: plan.catalog.resource.slug, quantity: 4 },
      ],
      [
        '/reservations',
        {
          subscriptionId: it.id,
          resourceSlug: plan.catalog.resource.slug,
          quantity: 1,
          usageMeterSlug: it.slug,
          usageAmount: 76,
        },
      ],
    ] as const) {
      const { status, body: answer } = await api('POST', path, body, { headers });
      expect(status).toBe(400);
      expect(answer.effects).toBeUndefined();
    }
    expect(await everyRow(it.fresh())).toEqual(rows);
  });
});
