// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import type { Session } from '#domain/kernel/session.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { aPriceOf, aUsageMeter } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { seeded } from '../../../support/seeded.ts';
import { test } from '../../../support/test.ts';
import {
  advance,
  aTimedSubscription,
  at,
  fresh,
  subscriptionOf,
} from '../../../support/timeline.ts';

const creditsOf = async (session: Session, id: string) =>
  (await fresh(session).em.find(UsageCredit, { subscriptionId: id })).map(
    ({ amount, billingPeriodId, rolloverLimit }) => ({
      amount: Number(amount),
      isOnce: billingPeriodId === '',
      limit: rolloverLimit == null ? null : Number(rolloverLimit),
    }),
  );

async function aFeature(session: Session, feature: object) {
  const meter = await aUsageMeter(session);
  return createFeature(fresh(session), {
    feature: {
      type: 'usage_credit_grant',
      name: 'Credits',
      description: 'Free calls',
      slug: `per-${meter.slug}`,
      usageMeterId: meter.id,
      amount: 100,
      renewalFrequency: 'every_billing_period',
      per: 'subscription',
      ...feature,
    },
  });
}

const adjust = (session: Session, id: string, items: { priceId: string; quantity: number }[]) =>
  adjustSubscription(fresh(session), {
    id,
    adjustment: {
      timing: 'immediately',
      prorateCurrentBillingPeriod: false,
      newSubscriptionItems: items,
    },
  });

test('credits per subscription are the amount of the feature in each period, whatever its quantities are and become', async ({
  session,
}) => {
  const quantity = fc.integer({ min: 1, max: 40 });
  const changes = fc.array(fc.record({ day: fc.integer({ min: 1, max: 75 }), quantity }), {
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(quantity, changes, async (first, changes) => {
      const each = await aFeature(session, { rollover: { limit: 30 } });
      const once = await aFeature(session, { amount: 50, renewalFrequency: 'once' });
      const featureIds = [each.id, once.id];
      const { id, clockId } = await aTimedSubscription(session, {
        paid: true,
        featureIds,
        quantity: first,
      });
      for (const { day, quantity } of changes.toSorted((a, b) => a.day - b.day)) {
        const to = new Date(at('2026-01-31').getTime() + day * 86_400_000);
        await advance(session, clockId, to.toISOString());
        const { priceId } = await subscriptionOf(session, id);
        await adjust(session, id, [{ priceId, quantity }]);
      }
      await advance(session, clockId, '2026-04-20');
      const credits = await creditsOf(session, id);
      expect(credits.filter(({ isOnce }) => isOnce)).toEqual([
        { amount: 50, isOnce: true, limit: null },
      ]);
      const regular = { amount: 100, isOnce: false, limit: 30 };
      expect(credits.filter(({ isOnce }) => !isOnce)).toEqual([regular, regular, regular]);
    }),
    seeded('credits per subscription', { numRuns: 4 }),
  );
  await expectLedgersToAgree(fresh(session));
});

test('credits per subscription come once for several items with the feature, also where one of them ends', async ({
  session,
}) => {
  const each = await aFeature(session, {});
  const once = await aFeature(session, { amount: 50, renewalFrequency: 'once' });
  const { id, clockId } = await aTimedSubscription(session, {
    paid: true,
    featureIds: [each.id, once.id],
  });
  const { priceId } = await subscriptionOf(session, id);
  const amounts = async () =>
    (await creditsOf(session, id)).map(({ amount }) => amount).toSorted((a, b) => b - a);
  const two = [
    { priceId, quantity: 2 },
    { priceId, quantity: 3 },
  ];
  await adjust(session, id, two);
  expect(await amounts()).toEqual([100, 50]);
  await advance(session, clockId, '2026-03-02');
  expect(await amounts()).toEqual([100, 100, 50]);
  await adjust(session, id, [{ priceId, quantity: 3 }]);
  await advance(session, clockId, '2026-04-02');
  expect(await amounts()).toEqual([100, 100, 100, 50]);
  const other = await aPriceOf(session, {});
  await adjust(session, id, [{ priceId: other, quantity: 1 }]);
  await adjust(session, id, [{ priceId, quantity: 7 }]);
  expect(await amounts()).toEqual([100, 100, 100, 50]);
  await expectLedgersToAgree(fresh(session));
});

test('only a feature that grants credits states what they are for, which is each unit unless it says so', async ({
  api,
  session,
}) => {
  const { body } = await api('POST', '/features', {
    feature: { type: 'toggle', name: 'A', description: 'A', slug: 'a', per: 'subscription' },
  });
  expect(body.issues).toMatchObject([
    { message: 'feature.per: is not allowed for a toggle feature' },
  ]);
  const usual = await aFeature(session, { per: undefined });
  const headers = { prefer: 'include=all' };
  const path = `/features/${usual.id}`;
  const shown = (await api('GET', path, undefined, { headers })).body.feature;
  expect(shown).toMatchObject({ per: 'item' });
  const changed = await api('PUT', path, { feature: { per: 'subscription' } }, { headers });
  expect(changed.body.feature).toMatchObject({ per: 'subscription', amount: 100 });
});
