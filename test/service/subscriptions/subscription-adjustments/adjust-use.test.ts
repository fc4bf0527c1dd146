// @module-tag long
import { describe, expect } from 'vitest';
import { confirmReservation } from '#domain/capacity/commands/reservations/confirm-reservation.ts';
import { checkBalances } from '#domain/metering/commands/usage-balances/check-balances.ts';
import { whileBusy } from '../../../support/adjustments.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { aCatalog, aPlan, aSubscriber, type Subscriber } from '../../../support/plans.ts';
import { testAlone } from '../../../support/test.ts';
import { balanceOf, creditsOf, use } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations').extend(
  'catalog',
  ({ session }) => aCatalog(session),
);

const range = (count: number) => Array.from({ length: count }, (_, place) => place);

/** The capacity and the claims with what is reserved, which never are more. */
async function standing(it: Subscriber) {
  const [capacity = 0, claimed = 0, available = 0] = (await it.seats()).split('/').map(Number);
  expect(claimed).toBeLessThanOrEqual(capacity);
  expect(available).toBeGreaterThanOrEqual(0);
  return { capacity, claimed, available };
}

const fulfilled = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length;

async function expectAgreement(it: Subscriber) {
  await expectLedgersToAgree(it.fresh());
  await expectMoneyToAgree(it.fresh());
  await checkBalances(it.fresh().em, new Date(0));
}

describe('at the same time', () => {
  test.for([
    ['without a charge', 500, {}],
    ['with a charge', 5_000, {}],
    ['at the end of the period', 500, { timing: 'at_end_of_current_billing_period' }],
  ] as const)(
    'an adjustment %s and claims never leave more claims than the capacity that then applies',
    async ([, unitPrice, options], { session, catalog }) => {
      const plan = await aPlan(session, { features: [catalog.seats(10)] });
      const smaller = await aPlan(session, { unitPrice, features: [catalog.seats(4)] });
      for (const round of range(2)) {
        const it = await aSubscriber(session, catalog, [plan]);
        await it.claim({ quantity: 1 });
        await it.toDay(15);
        const claiming = Promise.allSettled(range(6).map(() => it.claim({ quantity: 1 })));
        const [adjusted] = await Promise.allSettled([it.adjust([smaller], options)]);
        const claimed = 1 + fulfilled(await claiming);
        const then = await standing(it);
        expect(then.claimed, `round ${round}`).toBe(claimed);
        const isNow = adjusted?.status === 'fulfilled' && !('timing' in options);
        expect(then.capacity).toBe(isNow ? 4 : 10);
        if (adjusted?.status === 'rejected') {
          expect(adjusted.reason).toMatchObject({ code: 'CONFLICT' });
          expect(claimed).toBeGreaterThan(4);
        }
        await it.toDay(31);
        const after = await standing(it);
        expect(after.capacity).toBe(adjusted?.status === 'fulfilled' ? 4 : 10);
      }
    },
  );

  test('claims find only the room that an adjustment will leave, while the processor is busy with it', async ({
    session,
    catalog,
    database,
  }) => {
    const plan = await aPlan(session, { features: [catalog.seats(10)] });
    const smaller = await aPlan(session, { unitPrice: 5_000, features: [catalog.seats(4)] });
    const it = await aSubscriber(session, catalog, [plan]);
    const method = await it.pays('sandbox_success', { default: true });
    await it.claim({ quantity: 2 });
    let adjusting: Promise<unknown> | undefined;
    await whileBusy(database.databaseUrl, method.id, async () => {
      adjusting = it.adjust([smaller]);
      while ((await it.runs()).every(({ purpose }) => purpose !== 'adjustment'));
      const claims = await Promise.allSettled(range(6).map(() => it.claim({ quantity: 1 })));
      expect(fulfilled(claims)).toBe(2);
    });
    await adjusting;
    expect(await standing(it)).toEqual({ capacity: 4, claimed: 4, available: 0 });
    await expectMoneyToAgree(it.fresh());
  });

  test('an adjustment and usage count each event once, in one period or the next', async ({
    session,
    catalog,
  }) => {
    const plan = await aPlan(session, { features: [catalog.credits(100)] });
    const more = await aPlan(session, { unitPrice: 2_000, features: [catalog.credits(400)] });
    const yearly = { unitPrice: 20_000, days: 360, features: [catalog.credits(1_000)] };
    for (const next of [more, await aPlan(session, yearly)]) {
      const it = await aSubscriber(session, catalog, [plan]);
      await it.toDay(15);
      const results = await Promise.all([
        ...range(8).map(() => use(it.fresh(), it, 30)),
        it.adjust([next]),
        ...range(8).map(() => use(it.fresh(), it, 5)),
      ]);
      expect(results).toHaveLength(17);
      await expectAgreement(it);
      const used = await it
        .fresh()
        .em.execute<[{ usage: string }]>(
          'select -sum(usage) as usage from usage_meter_balance where subscription_id = ?',
          [it.id],
        );
      expect(Math.abs(Number(used[0].usage))).toBe(8 * 30 + 8 * 5);
      await it.toDay(40);
      await expectAgreement(it);
    }
  });

  test('a reservation that is confirmed and an adjustment keep what was promised', async ({
    session,
    catalog,
  }) => {
    const plan = await aPlan(session, { features: [catalog.seats(6), catalog.credits(100)] });
    const smaller = await aPlan(session, {
      unitPrice: 900,
      features: [catalog.seats(3), catalog.credits(50)],
    });
    for (const quantity of [3, 4]) {
      const it = await aSubscriber(session, catalog, [plan]);
      const credits = { usageMeterSlug: it.slug, usageAmount: '60' };
      const { reservation } = await it.reserve(quantity, credits);
      const [confirmed, adjusted] = await Promise.allSettled([
        confirmReservation(it.fresh(), { id: reservation.id }),
        it.adjust([smaller]),
      ]);
      expect(confirmed.status).toBe('fulfilled');
      expect(adjusted.status).toBe(quantity === 3 ? 'fulfilled' : 'rejected');
      expect(await standing(it)).toMatchObject({
        capacity: quantity === 3 ? 3 : 6,
        claimed: quantity,
      });
      expect(await balanceOf(it.fresh(), it)).toMatchObject({ used: '60', available: '40' });
      await expectAgreement(it);
    }
  });
});

describe('reservations of credits', () => {
  const credits = (usageAmount: number, slug: string) => ({
    usageMeterSlug: slug,
    usageAmount: String(usageAmount),
  });
  const seated = async (session: Parameters<typeof aPlan>[0], catalog: Subscriber['catalog']) =>
    aSubscriber(session, catalog, [
      await aPlan(session, { features: [catalog.seats(50), catalog.credits(100)] }),
    ]);

  test('are ten of ten of a hundred, when twenty ask at once', async ({ session, catalog }) => {
    const it = await seated(session, catalog);
    const results = await Promise.allSettled(
      range(20).map(() => it.reserve(1, credits(10, it.slug))),
    );
    expect(fulfilled(results)).toBe(10);
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({
          code: 'CONFLICT',
          message: expect.stringContaining('0 available'),
        });
    }
    expect(await it.seats()).toBe('50/0/40');
    expect(await balanceOf(it.fresh(), it)).toMatchObject({ available: '0', remaining: '100' });
    await expectAgreement(it);
  });

  test('free their credits at the instant at which they expire, whether anybody notes it or not', async ({
    session,
    catalog,
  }) => {
    const it = await seated(session, catalog);
    const { reservation } = await it.reserve(2, { ...credits(80, it.slug), ttlSeconds: 600 });
    const seconds = (count: number) => count / 86_400;
    await it.moveClockAlone(seconds(599.999));
    expect(await balanceOf(it.fresh(), it)).toMatchObject({ available: '20' });
    await expect(it.reserve(1, credits(21, it.slug))).rejects.toThrow('20 available');
    await it.moveClockAlone(seconds(600));
    expect(await balanceOf(it.fresh(), it)).toMatchObject({ available: '100' });
    expect(await it.seats()).toBe('50/0/50');
    await it.reserve(1, { ...credits(30, it.slug), ttlSeconds: 86_400 });
    await use(it.fresh(), it, 60);
    const before = await balanceOf(it.fresh(), it);
    expect(before).toMatchObject({ available: '10', remaining: '40', overage: '0' });
    await expect(confirmReservation(it.fresh(), { id: reservation.id })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('expired'),
    });
    await it.toDay(seconds(601));
    expect(await balanceOf(it.fresh(), it)).toEqual(before);
    await expect(confirmReservation(it.fresh(), { id: reservation.id })).rejects.toThrow('expired');
    expect(await balanceOf(it.fresh(), it)).toEqual(before);
    await expectAgreement(it);
  });

  test('end with the subscription, and what they reserved covers what was used without any', async ({
    session,
    catalog,
  }) => {
    const it = await seated(session, catalog);
    const lasting = { ...credits(80, it.slug), ttlSeconds: 86_400 };
    await it.toDay(0.5);
    const { reservation } = await it.reserve(2, lasting);
    await use(it.fresh(), it, 70);
    expect(await balanceOf(it.fresh(), it)).toMatchObject({ available: '-50', overage: '50' });
    await it.toDay(1);
    await it.cancel();
    await expect(confirmReservation(it.fresh(), { id: reservation.id })).rejects.toThrow(
      'released',
    );
    expect((await it.invoices()).map(({ total }) => total)).toEqual([1_000]);
    await expectAgreement(it);
  });

  test('do not keep credits beyond their period, and what is left of it is never below nothing', async ({
    session,
    catalog,
  }) => {
    const it = await seated(session, catalog);
    await it.toDay(29.9);
    const { reservation } = await it.reserve(2, { ...credits(80, it.slug), ttlSeconds: 86_400 });
    const bare = await aPlan(session, { features: [catalog.seats(50)] });
    await it.adjust([bare], { timing: 'at_end_of_current_billing_period' });
    await it.toDay(30.1);
    const [credit] = await creditsOf(it.fresh(), it);
    expect(credit).toMatchObject({ remaining: '0', expired: '100' });
    expect(await balanceOf(it.fresh(), it)).toMatchObject({
      available: '0',
      remaining: '0',
      overage: '0',
    });
    await expectAgreement(it);
    // The promised usage happens all the same, and is paid for, since no credits are left.
    await confirmReservation(it.fresh(), { id: reservation.id });
    expect(await balanceOf(it.fresh(), it)).toMatchObject({ available: '-80', overage: '80' });
    await it.toDay(61);
    await expectAgreement(it);
  });
});
