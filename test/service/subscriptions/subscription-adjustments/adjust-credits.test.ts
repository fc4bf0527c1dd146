// @module-tag long
import { describe, expect } from 'vitest';
import { createProductFeature } from '#domain/catalog/commands/product-features/create-product-feature.ts';
import { checkBalances } from '#domain/metering/commands/usage-balances/check-balances.ts';
import { createSubscriptionItemFeature } from '#domain/subscriptions/commands/subscription-item-features/create-subscription-item-feature.ts';
import { fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { aCatalog, aPlan, aSubscriber, type Subscriber } from '../../../support/plans.ts';
import { testAlone } from '../../../support/test.ts';
import { balanceOf, billsOf, creditsOf, use } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations').extend(
  'catalog',
  ({ session }) => aCatalog(session),
);

const silent = { prorateCurrentBillingPeriod: false };

/** The credits that were given, in that order: how many, and the day they run out. */
const given = async (it: Subscriber) =>
  (await creditsOf(it.fresh(), it)).map(({ amount, expiresAt }) => {
    const day = expiresAt && (expiresAt.getTime() - it.day(0).getTime()) / 86_400_000;
    return day === null || day === undefined ? `${amount} for ever` : `${amount} until ${day}`;
  });

async function expectAgreement(it: Subscriber) {
  await expectLedgersToAgree(it.fresh());
  await expectMoneyToAgree(it.fresh());
  await checkBalances(it.fresh().em, new Date(0));
}

describe('credits in the midst of a period', () => {
  test.for([
    [1, 97],
    [10, 67],
    [20, 33],
    [25, 17],
    [29, 3],
  ] as const)(
    'on day %i of 30 are %i of 100 for what is left of it',
    async ([day, credits], { session, catalog }) => {
      const it = await aSubscriber(session, catalog, [await aPlan(session, {})]);
      await it.toDay(day);
      await it.adjust([await aPlan(session, { features: [catalog.credits(100)] })], silent);
      expect(await given(it)).toEqual([`${credits} until 30`]);
      await it.toDay(31);
      expect(await given(it)).toEqual([`${credits} until 30`, '100 until 60']);
      expect(await balanceOf(it.fresh(), it)).toMatchObject({ available: '100' });
      await expectAgreement(it);
    },
  );

  test.for([
    [100, [100], 0],
    [50, [100], 0],
    [20, [100], 30],
    [50, [100, 200], 100],
  ] as const)(
    'half way with %i given already and %j to come are %i more',
    async ([before, after, more], { session, catalog }) => {
      const features = (amounts: readonly number[]) =>
        amounts.map((amount) => catalog.credits(amount));
      const it = await aSubscriber(session, catalog, [
        await aPlan(session, { features: features([before]) }),
      ]);
      await it.toDay(15);
      await it.adjust([await aPlan(session, { features: features(after) })], silent);
      const all = await creditsOf(it.fresh(), it);
      expect(all.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(before + more);
      await expectAgreement(it);
    },
  );

  test('that are given once come in full and do not run out', async ({ session, catalog }) => {
    const it = await aSubscriber(session, catalog, [await aPlan(session, {})]);
    await it.toDay(15);
    await it.adjust([await aPlan(session, { features: [catalog.credits(100, 'once')] })], silent);
    expect(await given(it)).toEqual(['100 for ever']);
    await it.toDay(31);
    expect(await given(it)).toEqual(['100 for ever']);
    await expectAgreement(it);
  });

  for (const silently of [true, false]) {
    test(`that are given once are given once, also when the plan changes and comes back later${silently ? '' : ', with proration'}`, async ({
      session,
      catalog,
    }) => {
      const options = silently ? silent : {};
      const plain = await aPlan(session, {});
      const once = await aPlan(session, { features: [catalog.credits(100, 'once')] });
      const it = await aSubscriber(session, catalog, [once]);
      for (const period of [1, 2]) {
        await it.toDay(30 * period + 5);
        await it.adjust([plain], options);
        await it.toDay(30 * period + 15);
        await it.adjust([once], options);
      }
      await it.adjust([plain], options);
      await it.adjust([once], options);
      expect(await given(it)).toEqual(['100 for ever']);
      await expectAgreement(it);
    });
  }

  test('that are given once are given once, also when another interval begins anew', async ({
    session,
    catalog,
  }) => {
    const plain = await aPlan(session, { days: 10 });
    const once = await aPlan(session, { features: [catalog.credits(100, 'once')] });
    const it = await aSubscriber(session, catalog, [once]);
    await it.toDay(35);
    await it.adjust([plain]);
    await it.toDay(50);
    await it.adjust([once]);
    expect(await given(it)).toEqual(['100 for ever']);
    await expectAgreement(it);
  });

  test('that are given once come once for each item that has them', async ({
    session,
    catalog,
  }) => {
    const feature = [catalog.credits(100, 'once')];
    const [one, other] = [await aPlan(session, { features: feature }), await aPlan(session, {})];
    await createProductFeature(fresh(session), {
      productFeature: { productId: other.productId, featureId: one.featureIds[0] ?? '' },
    });
    const it = await aSubscriber(session, catalog, [one]);
    await it.toDay(35);
    await it.adjust([other], silent);
    expect(await given(it)).toEqual(['100 for ever']);
    await it.adjust([one, other], silent);
    expect(await given(it)).toEqual(['100 for ever', '100 for ever']);
    await expectAgreement(it);
  });

  test('are spread in one way over those of each period and those that are given once', async ({
    session,
    catalog,
  }) => {
    const outcomes = new Set<string>();
    for (let attempt = 0; attempt < 8; attempt++) {
      const features = [catalog.credits(100, 'once'), catalog.credits(100)];
      const before = await aPlan(session, { features: [catalog.credits(80)] });
      const after = await aPlan(session, { features });
      const it = await aSubscriber(session, catalog, [before]);
      await it.toDay(15);
      await it.adjust([after], silent);
      outcomes.add((await given(it)).toSorted().join(', '));
    }
    // 50 of the 80 stand for half of 100, and the other 30 for a part of what is given once.
    expect([...outcomes]).toEqual(['70 for ever, 80 until 30']);
  });

  test('amount to the difference when the plan changes again', async ({ session, catalog }) => {
    const it = await aSubscriber(session, catalog, [await aPlan(session, {})]);
    await it.toDay(15);
    await it.adjust([await aPlan(session, { features: [catalog.credits(100)] })], silent);
    await it.adjust([await aPlan(session, { features: [catalog.credits(100)] })], silent);
    expect(await given(it)).toEqual(['50 until 30']);
    await it.toDay(20);
    await it.adjust([await aPlan(session, { features: [catalog.credits(300)] })], silent);
    expect(await given(it)).toEqual(['50 until 30', '50 until 30']);
    await expectAgreement(it);
  });

  test('are none with a smaller plan, and those that were given stay', async ({
    session,
    catalog,
  }) => {
    const big = await aPlan(session, { unitPrice: 2_000, features: [catalog.credits(100)] });
    const it = await aSubscriber(session, catalog, [big]);
    await use(it.fresh(), it, 30);
    await it.toDay(10);
    await it.adjust([await aPlan(session, { features: [catalog.credits(40)] })]);
    expect(await given(it)).toEqual(['100 until 30']);
    expect(await balanceOf(it.fresh(), it)).toMatchObject({ available: '70' });
    await it.toDay(31);
    expect(await given(it)).toEqual(['100 until 30', '40 until 60']);
    await expectAgreement(it);
  });

  test('cover at once what was used without any', async ({ session, catalog }) => {
    const it = await aSubscriber(session, catalog, [await aPlan(session, {})]);
    await it.toDay(10);
    await use(it.fresh(), it, 50);
    await it.toDay(15);
    await it.adjust([await aPlan(session, { features: [catalog.credits(100)] })], silent);
    expect(await balanceOf(it.fresh(), it)).toMatchObject({ available: '0', overage: '0' });
    await expectAgreement(it);
  });

  test('at the very start of a period amount to what the new plan gives in it', async ({
    session,
    catalog,
  }) => {
    const it = await aSubscriber(session, catalog, [
      await aPlan(session, { features: [catalog.credits(40)] }),
    ]);
    await it.toDay(30);
    await it.adjust([await aPlan(session, { features: [catalog.credits(100)] })], silent);
    expect(await given(it)).toEqual(['40 until 30', '40 until 60', '60 until 60']);
    await expectAgreement(it);
  });

  test('come also with an item that continues by its id, for more of it and for another product', async ({
    session,
    catalog,
  }) => {
    const plan = await aPlan(session, { features: [catalog.credits(100)] });
    const it = await aSubscriber(session, catalog, [plan]);
    const [item] = await it.items();
    await it.toDay(15);
    await it.adjust([{ id: item?.id, quantity: 4 }], silent);
    expect(await given(it)).toEqual(['100 until 30', '100 until 30']);
    const { priceId } = await aPlan(session, { features: [catalog.credits(600)] });
    await it.adjust([{ id: item?.id, priceId, quantity: 1 }], silent);
    expect(await given(it)).toEqual(['100 until 30', '100 until 30', '100 until 30']);
    await it.toDay(31);
    expect((await given(it)).slice(3)).toEqual(['600 until 60']);
    await expectAgreement(it);
  });

  test('are not given for a feature that an item has by hand and that has given none', async ({
    session,
    catalog,
  }) => {
    const it = await aSubscriber(session, catalog, [await aPlan(session, {})]);
    const [item] = await it.items();
    const { featureIds } = await aPlan(session, { features: [catalog.credits(100)] });
    await createSubscriptionItemFeature(it.fresh(), {
      subscriptionItemFeature: {
        subscriptionItemId: item?.id ?? '',
        featureId: featureIds[0] ?? '',
        type: 'usage_credit_grant',
        usageMeterId: catalog.meter.id,
        renewalFrequency: 'every_billing_period',
        amount: 100,
        manuallyCreated: true,
      },
    });
    await it.toDay(15);
    await it.adjust([{ id: item?.id, quantity: 2 }], silent);
    expect(await given(it)).toEqual([]);
    await it.toDay(31);
    expect(await given(it)).toEqual(['100 until 60']);
  });

  test('come with an add-on next to an item that continues and keeps its own', async ({
    session,
    catalog,
  }) => {
    const it = await aSubscriber(session, catalog, [
      await aPlan(session, { features: [catalog.credits(100)] }),
    ]);
    const [item] = await it.items();
    await it.toDay(15);
    const addOn = await aPlan(session, { features: [catalog.credits(300)] });
    await it.adjust([{ id: item?.id }, addOn], silent);
    expect(await given(it)).toEqual(['100 until 30', '100 until 30']);
    await expectAgreement(it);
  });
});

describe('credits of a plan that is to be paid for', () => {
  test('are given when it has been paid, and as of when it was asked for', async ({
    session,
    catalog,
  }) => {
    const it = await aSubscriber(session, catalog, [await aPlan(session, {})]);
    await it.pays('sandbox_slow', { default: true });
    await it.toDay(15);
    await it.adjust([await aPlan(session, { unitPrice: 2_000, features: [catalog.credits(100)] })]);
    expect(await given(it)).toEqual([]);
    await it.toDay(18);
    expect(await given(it)).toEqual(['50 until 30']);
    await expectAgreement(it);
  });

  test('are not given when it could not be paid', async ({ session, catalog }) => {
    const it = await aSubscriber(session, catalog, [await aPlan(session, {})]);
    await it.pays('sandbox_decline_insufficient_funds', { default: true });
    await it.toDay(15);
    const dearer = await aPlan(session, { unitPrice: 2_000, features: [catalog.credits(100)] });
    await expect(it.adjust([dearer])).rejects.toThrow('insufficient_funds');
    expect(await given(it)).toEqual([]);
    await it.toDay(29);
    expect(await given(it)).toEqual([]);
    await expectAgreement(it);
  });

  test('wait for the first payment where that has not been made', async ({ session, catalog }) => {
    const it = await aSubscriber(
      session,
      catalog,
      [await aPlan(session, { features: [catalog.credits(100)] })],
      { token: 'sandbox_requires_action' },
    );
    expect(await it.current()).toMatchObject({ status: 'incomplete' });
    expect(await given(it)).toEqual([]);
    await it.toDay(0.1);
    await it.adjust([await aPlan(session, { features: [catalog.credits(300)] })], silent);
    expect(await given(it)).toEqual([]);
    await expectAgreement(it);
  });
});

describe('a new interval that begins a period at once', () => {
  test('closes the usage of the old one, which is billed once, and gives the credits of the new one', async ({
    session,
    catalog,
  }) => {
    const it = await aSubscriber(session, catalog, [
      await aPlan(session, { features: [catalog.credits(100)] }),
    ]);
    await it.toDay(10);
    await use(it.fresh(), it, 150);
    await it.toDay(15);
    const yearly = { unitPrice: 12_000, days: 360, features: [catalog.credits(1_000)] };
    await it.adjust([await aPlan(session, yearly)]);
    expect(await given(it)).toEqual(['100 until 15', '1000 until 375']);
    expect(await balanceOf(it.fresh(), it)).toMatchObject({ used: '0', remaining: '1000' });
    await it.toDay(40);
    await use(it.fresh(), it, 40);
    await it.toDay(376);
    expect(await billsOf(it.fresh(), it)).toEqual(['50 cost 10, paid']);
    await expectAgreement(it);
  });

  test('ends the credits of the old one with it', async ({ session, catalog }) => {
    const it = await aSubscriber(session, catalog, [
      await aPlan(session, { features: [catalog.credits(100), catalog.credits(7, 'once')] }),
    ]);
    await use(it.fresh(), it, 30);
    await it.toDay(15);
    const yearly = { unitPrice: 12_000, days: 360, features: [catalog.credits(1_000)] };
    await it.adjust([await aPlan(session, yearly)]);
    expect(await balanceOf(it.fresh(), it)).toMatchObject({ used: '0', remaining: '1007' });
    await expectAgreement(it);
  });

  test('at the very start of the old one gives the credits of the new one, to its end', async ({
    session,
    catalog,
  }) => {
    const it = await aSubscriber(session, catalog, [
      await aPlan(session, { features: [catalog.credits(100)] }),
    ]);
    const yearly = { unitPrice: 12_000, days: 360, features: [catalog.credits(1_000)] };
    await it.adjust([await aPlan(session, yearly)]);
    expect(await it.current()).toMatchObject({ currentBillingPeriodEnd: it.day(360) });
    expect(await balanceOf(it.fresh(), it)).toMatchObject({ remaining: '1000' });
    await it.toDay(31);
    expect(await balanceOf(it.fresh(), it)).toMatchObject({ remaining: '1000' });
    await expectAgreement(it);
  });
});
