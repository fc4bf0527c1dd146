import fc from 'fast-check';
import { expect } from 'vitest';
import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import type { Session } from '#domain/kernel/session.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { createSubscriptionPhase } from '#domain/subscriptions/commands/subscription-phases/create-subscription-phase.ts';
import { aProduct, aUsageMeter, fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { tried } from '../../../support/seeded.ts';
import { test } from '../../../support/test.ts';
import { advance, aTimedSubscription, at } from '../../../support/timeline.ts';
import { creditsOf } from '../../../support/usage.ts';

const amount = 12;

/** A plan without the feature, and one with it. */
async function plansOf(session: Session) {
  const meter = await aUsageMeter(session);
  const feature = await createFeature(fresh(session), {
    feature: {
      type: 'usage_credit_grant',
      name: 'Welcome',
      description: 'Once',
      slug: `once-${meter.slug}`,
      amount,
      usageMeterId: meter.id,
      renewalFrequency: 'once',
    },
  });
  const plain = await aProduct(session, { price: { unitPrice: 1_000 } });
  const rich = await aProduct(session, { price: { unitPrice: 2_000 }, featureIds: [feature.id] });
  const priceOf = async ({ prices }: typeof plain) => (await prices.loadItems())[0]?.id ?? '';
  return { plain: await priceOf(plain), rich: await priceOf(rich) };
}

/** The ways in which a plan begins: when it is asked for in the month, and when it begins. */
const ways = ['within', 'at the first instant', 'at the end', 'phase', 'phase within'] as const;

const changes = fc.array(
  fc.record({
    plan: fc.constantFrom('plain' as const, 'rich' as const),
    quantity: fc.integer({ min: 1, max: 4 }),
    way: fc.constantFrom(...ways),
  }),
  { minLength: 1, maxLength: 5 },
);

const month = (number: number, day: string) => `2026-${String(number).padStart(2, '0')}-${day}`;

test('a feature grants its one-time credits once for each unit of an item, however the plan begins', async ({
  session,
}) => {
  const plans = await plansOf(session);
  await tried(
    'one-time credits',
    fc.asyncProperty(changes, async (changes) => {
      const { id, clockId } = await aTimedSubscription(session, {
        from: '2026-01-01',
        priceId: plans.plain,
        paid: true,
      });
      let most = 0;
      for (const [place, { plan, quantity, way }] of changes.entries()) {
        const number = place + 1;
        const items = [{ priceId: plans[plan], quantity }];
        const start = way === 'at the first instant' && number > 1 ? '01' : '10';
        await advance(session, clockId, month(number, start));
        if (way === 'phase' || way === 'phase within') {
          const isWithin = way === 'phase within';
          const startsAt = at(month(isWithin ? number : number + 1, isWithin ? '15' : '01'));
          const timing = isWithin ? 'at_date' : 'with_period';
          await createSubscriptionPhase(fresh(session), {
            subscriptionPhase: { subscriptionId: id, startsAt, timing, items },
          });
        } else {
          const timing = way === 'at the end' ? 'at_end_of_current_billing_period' : 'immediately';
          await adjustSubscription(fresh(session), {
            id,
            adjustment: { timing, newSubscriptionItems: items, prorateCurrentBillingPeriod: true },
          });
        }
        await advance(session, clockId, month(number, '20'));
        if (plan === 'rich') most = Math.max(most, quantity);
      }
      await advance(session, clockId, month(changes.length + 1, '02'));
      const credits = await creditsOf(session, { id });
      expect(credits.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(amount * most);
      await expectLedgersToAgree(session);
    }),
    { cases: 12, milliseconds: 10_000 },
  );
});
