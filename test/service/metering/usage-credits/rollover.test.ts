// @module-tag long
import { describe, expect } from 'vitest';
import { createFeatureInput } from '#domain/catalog/commands/features/create-feature.ts';
import { updateFeature } from '#domain/catalog/commands/features/update-feature.ts';
import { createPrice } from '#domain/catalog/commands/prices/create-price.ts';
import type { Session } from '#domain/kernel/session.ts';
import { balancesOf } from '#domain/metering/commands/usage-balances/read-balances.ts';
import { expireUsageCredits } from '#domain/metering/commands/usage-credits/expire-usage-credits.ts';
import { Feature } from '#domain/model/catalog/feature.ts';
import { Price } from '#domain/model/catalog/price.ts';
import type { RolloverTerms } from '#domain/model/catalog/rollover.ts';
import { Event } from '#domain/model/platform/event.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { transitionSubscription } from '#domain/subscriptions/lifecycle/transition-subscription.ts';
import { aUsageMeter } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { testAlone } from '../../../support/test.ts';
import { advance, at, fresh, told } from '../../../support/timeline.ts';
import {
  aMeteredSubscription,
  balanceOf,
  billsOf,
  creditsOf,
  type User,
  use,
  voidEvent,
} from '../../../support/usage.ts';

/** The ledgers agree with everything else at the end of each test. */
const test = testAlone('it runs jobs, which work for all organizations').extend(
  'agreeing',
  { auto: true },
  async ({ session }, { onCleanup }) => {
    onCleanup(() => expectLedgersToAgree(session));
  },
);

/** The credits of a subscription: `left/expired until end, rolled over + beyond the limit`. */
const storyOf = async (session: Session, user: Pick<User, 'id'>) =>
  (await creditsOf(session, user)).map(
    ({ remaining, expired, expiresAt, rolledOver, notRolledOver }) =>
      `${remaining}/${expired} until ${told(expiresAt)}, ${rolledOver}+${notRolledOver}`,
  );

const aRolling = (session: Session, rollover: Partial<RolloverTerms>, credits = 100) =>
  aMeteredSubscription(session, { credits, rollover, from: '2026-01-01' });

describe('unused credits of a period', () => {
  test('last for one period more, and are used before those of that period', async ({
    session,
  }) => {
    const user = await aRolling(session, { periods: 1 });
    await use(session, user, 40);
    await advance(session, user.clockId, '2026-02-02');
    expect(await storyOf(session, user)).toEqual([
      '60/0 until 2026-03-01, 60+0',
      '100/0 until 2026-03-01, 0+0',
    ]);
    const own = fresh(session);
    const [balance] = await balancesOf(own, await own.em.findOneOrFail(Subscription, user.id));
    expect(balance).toMatchObject({ available: '160', remaining: '160', rolledOver: '60' });
    await use(session, user, 70);
    await advance(session, user.clockId, '2026-03-02');
    expect(await storyOf(session, user)).toEqual([
      '0/0 until 2026-03-01, 60+0',
      '90/0 until 2026-04-01, 90+0',
      '100/0 until 2026-04-01, 0+0',
    ]);
    await advance(session, user.clockId, '2026-04-02');
    expect((await storyOf(session, user))[1]).toBe('0/90 until 2026-04-01, 90+0');
    expect(await billsOf(session, user)).toEqual([]);
  });

  test.for([
    [{ limit: 30 }, '30/30 until 2026-03-01, 30+30'],
    [{ percent: 25 }, '25/35 until 2026-03-01, 25+35'],
    [{ percent: 100 }, '60/0 until 2026-03-01, 60+0'],
  ] as const)(
    'roll over up to the limit %j, and the rest expires',
    async ([rollover, first], { session }) => {
      const user = await aRolling(session, { periods: 2, ...rollover });
      await use(session, user, 40);
      await advance(session, user.clockId, '2026-02-02');
      expect((await storyOf(session, user))[0]).toBe(first);
      await advance(session, user.clockId, '2026-03-02');
      // The limit counts once for the credits of a period.
      expect((await storyOf(session, user))[0]).toBe(first.replace('03-01', '04-01'));
      await advance(session, user.clockId, '2026-04-02');
      expect((await storyOf(session, user))[0]).toMatch(/^0\/60 until 2026-04-01/);
    },
  );

  test('emit what rolled over, and what expired in the end', async ({ session }) => {
    const user = await aRolling(session, { periods: 1, limit: 30 });
    await use(session, user, 40);
    await advance(session, user.clockId, '2026-03-02');
    const types = ['usage_credit.rolled_over', 'usage_credit.expired'] as const;
    const events = await fresh(session).em.find(
      Event,
      { type: { $in: [...types] }, customerId: user.customerId },
      { orderBy: { sequence: 'asc' } },
    );
    expect(events.map(({ type, data }) => ({ type, data }))).toMatchObject([
      { type: types[0], data: { remaining: 30, rolledOver: 30, notRolledOver: 30 } },
      { type: types[1], data: { remaining: 0, expired: 60 } },
      { type: types[0], data: { remaining: 30, rolledOver: 30, notRolledOver: 70 } },
    ]);
  });

  test('end with a subscription that has no next period', async ({ session }) => {
    const user = await aRolling(session, { periods: 1 });
    const cancellation = { timing: 'at_end_of_current_billing_period' } as const;
    await cancelSubscription(fresh(session), { id: user.id, cancellation });
    await advance(session, user.clockId, '2026-02-02');
    expect(await storyOf(session, user)).toEqual(['0/100 until 2026-02-01, 0+0']);
  });

  test('roll over once, however often and from wherever the end of the period is crossed', async ({
    session,
  }) => {
    const user = await aRolling(session, { periods: 1 });
    const { em } = fresh(session);
    await em.execute('update subscription set test_clock_id = null where id = ?', [user.id]);
    await em.execute('update customer set test_clock_id = null where id = ?', [user.customerId]);
    const late = fresh(session, at('2026-02-02'));
    // The job that expires credits leaves them to the end of the period, which is late.
    await expireUsageCredits(late.em, late.now, 'cause');
    expect(await storyOf(session, user)).toEqual(['100/0 until 2026-02-01, 0+0']);
    const both = [1, 2].map(() => transitionSubscription(fresh(session, late.now), user.id));
    expect((await Promise.all(both)).filter(Boolean)).toHaveLength(1);
    expect(await storyOf(session, user)).toEqual([
      '100/0 until 2026-03-01, 100+0',
      '100/0 until 2026-03-01, 0+0',
    ]);
  });

  test('reduce the upcoming invoice as the one that follows', async ({ session }) => {
    const user = await aRolling(session, { periods: 1, limit: 30 });
    await advance(session, user.clockId, '2026-02-02');
    await use(session, user, 150);
    const upcoming = await upcomingInvoice(fresh(session), user.id);
    expect(upcoming?.lines.map(({ amount }) => amount).toSorted()).toEqual([1_000, 4]);
    await advance(session, user.clockId, '2026-03-02');
    expect(await billsOf(session, user)).toEqual(['20 cost 4, paid']);
  });
});

describe('corrections of usage of the period that has ended', () => {
  test('change what has rolled over, as if it had been right from the start', async ({
    session,
  }) => {
    const user = await aRolling(session, { periods: 1, limit: 50 });
    const [event] = await use(session, user, 60, 20);
    await advance(session, user.clockId, '2026-02-02');
    expect((await storyOf(session, user))[0]).toBe('20/0 until 2026-03-01, 20+0');
    await voidEvent(session, event?.id ?? '');
    // 80 are unused now, of which 50 roll over.
    expect((await storyOf(session, user))[0]).toBe('50/30 until 2026-03-01, 50+30');
    await expectLedgersToAgree(session);
  });

  test('use late usage first of what exceeded the limit, then of what rolled over', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, {
      credits: 100,
      rollover: { periods: 1, limit: 50 },
      from: '2026-01-01',
      doNotCharge: true,
    });
    await use(session, user, 20);
    await advance(session, user.clockId, '2026-02-02');
    expect((await storyOf(session, user))[0]).toBe('50/30 until 2026-03-01, 50+30');
    await use(session, user, { amount: '40', usageDate: at('2026-01-20') });
    const late = await fresh(session).em.count(BillingPeriod, { subscription: user.id });
    expect(late).toBe(2);
    expect((await storyOf(session, user))[0]).toBe('40/0 until 2026-03-01, 40+0');
  });

  test('bill late usage that the next period has used up the credits for', async ({ session }) => {
    const user = await aMeteredSubscription(session, {
      credits: 100,
      rollover: { periods: 1 },
      from: '2026-01-01',
      doNotCharge: true,
    });
    await advance(session, user.clockId, '2026-02-02');
    await use(session, user, 200);
    await use(session, user, { amount: '10', usageDate: at('2026-01-20') });
    expect(await balanceOf(session, user)).toMatchObject({ available: '-10', overage: '10' });
  });
});

describe('the rollover of a feature', () => {
  test('is refused for credits that are granted once, and with two limits', async ({ session }) => {
    const { id: usageMeterId } = await aUsageMeter(session);
    const feature = {
      type: 'usage_credit_grant',
      name: 'Credits',
      description: 'Free calls',
      slug: 'credits',
      amount: 100,
      usageMeterId,
    };
    const parsed = (more: object) =>
      createFeatureInput.safeParse({ feature: { ...feature, ...more } }).error?.issues[0];
    expect(parsed({ renewalFrequency: 'once', rollover: {} })).toMatchObject({
      path: ['feature', 'rollover'],
    });
    const rollover = { limit: 5, percent: 10 };
    expect(parsed({ renewalFrequency: 'every_billing_period', rollover })).toMatchObject({
      path: ['feature', 'rollover', 'percent'],
    });
  });

  test('counts for later grants when it changes', async ({ session }) => {
    const user = await aRolling(session, { periods: 1 });
    const feature = await fresh(session).em.findOneOrFail(Feature, { rollover: { $ne: null } });
    expect(feature.rollover).toEqual({ periods: 1, limit: null, percent: null });
    await updateFeature(fresh(session), { id: feature.id, feature: { rollover: null } });
    await advance(session, user.clockId, '2026-03-02');
    expect(await storyOf(session, user)).toEqual([
      '0/100 until 2026-03-01, 100+0',
      '0/100 until 2026-03-01, 0+0',
      '100/0 until 2026-04-01, 0+0',
    ]);
  });

  test('of a period that a new interval cuts short end with it, and earlier ones continue', async ({
    session,
  }) => {
    const user = await aRolling(session, { periods: 2 });
    await advance(session, user.clockId, '2026-02-10');
    const own = fresh(session);
    const { priceId } = await own.em.findOneOrFail(Subscription, user.id);
    const { productId } = await own.em.findOneOrFail(Price, priceId);
    const { id: yearly } = await createPrice(fresh(session), {
      price: {
        ...{ type: 'subscription', slug: 'yearly', productId: productId as string },
        ...{ unitPrice: 10_000, intervalUnit: 'year', isDefault: false },
      },
    });
    await adjustSubscription(fresh(session), {
      id: user.id,
      adjustment: {
        timing: 'immediately',
        newSubscriptionItems: [{ priceId: yearly, quantity: 1 }],
      },
    });
    expect(await storyOf(session, user)).toEqual([
      '100/0 until 2027-02-10, 100+0',
      '0/100 until 2026-02-10, 0+0',
      '100/0 until 2027-02-10, 0+0',
    ]);
  });
});
