// @module-tag long
import { describe, expect } from 'vitest';
import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { Event } from '#domain/model/platform/event.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { addFeatureToSubscription } from '#domain/subscriptions/commands/subscriptions/add-feature-to-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import {
  aCreditGrant,
  aCustomer,
  aPricingModel,
  aProductFeature,
  aToggle,
  aUsageMeter,
  fresh,
} from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { test as base } from '../../../support/test.ts';
import { aClockedCustomer } from '../../../support/time.ts';
import { advance, at, subscriptionsOf, told } from '../../../support/timeline.ts';
import {
  aMeteredSubscription,
  availableOf,
  balanceOf,
  billsOf,
  creditsOf,
  grant,
  type User,
  use,
  voidEvent,
} from '../../../support/usage.ts';

/** The ledgers agree with everything else at the end of each test. */
const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(() => expectLedgersToAgree(session));
});

/** The credits of a subscription: `amount source end`. */
const storyOf = async (session: Session, user: Pick<User, 'id'>) =>
  (await creditsOf(session, user)).map(
    ({ amount, source, expiresAt }) => `${amount} ${source} ${told(expiresAt)}`,
  );

const addFeature = (session: Session, { id }: Pick<User, 'id'>, featureId: string, now = true) =>
  addFeatureToSubscription(fresh(session), { id, featureId, grantCreditsImmediately: now });

describe('credits of features', () => {
  test('those of each period last until its end, those given once for ever', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { credits: 75, creditsOnce: 20 });
    expect(await storyOf(session, user)).toEqual(['20 feature null', '75 feature 2026-02-28']);
    await advance(session, user.clockId, '2026-03-01');
    expect(await storyOf(session, user)).toEqual([
      '20 feature null',
      '75 feature 2026-02-28',
      '75 feature 2026-03-31',
    ]);
  });

  test('who has to pay has them when the first period has been paid, and not before', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { credits: 75, paid: false });
    expect(await storyOf(session, user)).toEqual([]);
    const paid = await aMeteredSubscription(session, { credits: 75 });
    expect(await storyOf(session, paid)).toHaveLength(1);
  });

  test('a trial has them from its beginning, until its end', async ({ session }) => {
    const trialEnd = at('2026-02-10');
    const user = await aMeteredSubscription(session, { credits: 75, trialEnd });
    expect(await storyOf(session, user)).toEqual(['75 feature 2026-02-10']);
    await use(session, user, 80);
    await advance(session, user.clockId, '2026-02-11');
    expect((await storyOf(session, user)).slice(1)).toEqual(['75 feature 2026-03-10']);
    expect(await billsOf(session, user)).toEqual(['5 cost 1, paid']);
  });

  test('a subscription without periods has all of them for ever', async ({ session }) => {
    const model = await aPricingModel(session);
    const { id: usageMeterId, slug } = await aUsageMeter(model);
    const plan = await fresh(model).em.findOneOrFail(Product, { default: true });
    for (const renewalFrequency of ['once', 'every_billing_period'] as const) {
      const feature = await createFeature(fresh(model), {
        feature: {
          type: 'usage_credit_grant',
          name: 'Credits',
          description: 'Free calls',
          slug: renewalFrequency,
          amount: 10,
          usageMeterId,
          renewalFrequency,
        },
      });
      await aProductFeature(model, plan.id, feature.id);
    }
    const { id: customer } = await aCustomer(model);
    const { id, renews } = await fresh(model).em.findOneOrFail(Subscription, { customer });
    expect(renews).toBe(false);
    expect(await storyOf(model, { id })).toEqual(['10 feature null', '10 feature null']);
    const [event] = await use(model, { id, slug }, 25);
    expect(event?.billingPeriodId).toBeNull();
    expect(await balanceOf(model, { id, slug })).toMatchObject({ available: '-5' });
    await voidEvent(model, event?.id ?? '');
    expect(await balanceOf(model, { id, slug })).toMatchObject({ available: '20' });
    await expectLedgersToAgree(model);
  });

  test('a feature that is no more gives nothing more', async ({ session }) => {
    const user = await aMeteredSubscription(session, { credits: 75 });
    await cancelSubscription(fresh(session), {
      id: user.id,
      cancellation: { timing: 'at_end_of_current_billing_period' },
    });
    await advance(session, user.clockId, '2026-04-01');
    expect(await storyOf(session, user)).toHaveLength(1);
    expect((await creditsOf(session, user))[0]).toMatchObject({ remaining: '0', expired: '75' });
  });
});

describe('credits that run out within a period', () => {
  test('cover nothing from that instant on, and count no more whether that is written down or not', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    await grant(session, user, 100, { expiresAt: at('2026-02-10') });
    await use(session, user, 30);
    await advance(session, user.clockId, '2026-02-09');
    expect(await availableOf(session, user)).toBe(70);
    await advance(session, user.clockId, '2026-02-10');
    expect(await availableOf(session, user)).toBe(0);
    await use(session, user, 5);
    expect(await availableOf(session, user)).toBe(-5);
    expect(await creditsOf(session, user)).toMatchObject([{ remaining: '0', expired: '70' }]);
  });

  /** Who has used 50 after 30 credits have run out. */
  async function anOverdrawn(session: Session, doNotCharge = false) {
    const user = await aMeteredSubscription(session, { doNotCharge });
    await grant(session, user, 30, { expiresAt: at('2026-02-10') });
    await advance(session, user.clockId, '2026-02-15');
    await use(session, user, 50);
    return user;
  }

  test('do not come back when the period ends: what was used without them is billed', async ({
    session,
  }) => {
    const user = await anOverdrawn(session);
    await advance(session, user.clockId, '2026-03-01');
    expect(await billsOf(session, user)).toEqual(['50 cost 10, paid']);
    expect(await creditsOf(session, user)).toMatchObject([{ remaining: '0', expired: '30' }]);
  });

  test('do not come back when the subscription is canceled; one that can still be used is', async ({
    session,
  }) => {
    const user = await anOverdrawn(session);
    await grant(session, user, 5, { expiresAt: at('2026-02-20') });
    await cancelSubscription(fresh(session), {
      id: user.id,
      cancellation: { timing: 'immediately' },
    });
    await advance(session, user.clockId, '2026-02-16');
    expect(await billsOf(session, user)).toEqual(['45 cost 9, paid']);
  });

  test('cover nothing that is reported when the period has ended; those that lasted to its end do', async ({
    session,
  }) => {
    const user = await anOverdrawn(session, true);
    await grant(session, user, 51, { expiresAt: at('2026-02-28T10:00:00.000Z') });
    await grant(session, user, 2, { expiresAt: at('2026-03-05') });
    await advance(session, user.clockId, '2026-03-10');
    await use(session, user, { amount: '10', usageDate: at('2026-02-05') });
    expect(await availableOf(session, user)).toBe(-7);
    expect((await creditsOf(session, user)).map(({ expired }) => expired)).toEqual([
      '30',
      '0',
      '0',
    ]);
  });
});

describe('credits of a feature that is added by hand', () => {
  test('are given at once, once a period, until its end, and with the next period in full', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    const feature = await aCreditGrant(session, user.meterId);
    await Promise.all([1, 2, 3].map(() => addFeature(session, user, feature.id)));
    expect(await storyOf(session, user)).toEqual(['100 add_feature 2026-02-28']);
    expect(await availableOf(session, user)).toBe(100);
    await advance(session, user.clockId, '2026-03-01');
    expect((await storyOf(session, user)).slice(1)).toEqual(['300 feature 2026-03-31']);
    await addFeature(session, user, feature.id);
    expect(await storyOf(session, user)).toContain('100 add_feature 2026-03-31');
  });

  test('come with the next period when they are not wanted at once', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const feature = await aCreditGrant(session, user.meterId);
    await addFeature(session, user, feature.id, false);
    expect(await storyOf(session, user)).toEqual([]);
    await advance(session, user.clockId, '2026-03-01');
    expect(await storyOf(session, user)).toEqual(['100 feature 2026-03-31']);
  });

  test('another feature gives its own; a toggle gives none', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    for (const feature of [
      await aCreditGrant(session, user.meterId),
      await aCreditGrant(session, user.meterId),
    ]) {
      await addFeature(session, user, feature.id);
    }
    expect(await availableOf(session, user)).toBe(200);
    await expect(addFeature(session, user, (await aToggle(session)).id)).rejects.toMatchObject({
      issues: [{ path: ['grantCreditsImmediately'] }],
    });
  });
});

test('the feed tells of credits that are given and that run out, with their numbers', async ({
  session,
}) => {
  const user = await aMeteredSubscription(session, { credits: 75 });
  await use(session, user, 25);
  await advance(session, user.clockId, '2026-03-01');
  const [first] = await creditsOf(session, user);
  const events = await fresh(session).em.find(
    Event,
    { objectId: first?.id ?? '' },
    { orderBy: { position: 'asc' } },
  );
  expect(events).toMatchObject([
    { type: 'usage_credit.created', data: { amount: 75, remaining: 75, subscriptionId: user.id } },
    { type: 'usage_credit.expired', data: { amount: 75, remaining: 0, expired: 50 } },
  ]);
});

test('a free plan has the credits of each period', async ({ session }) => {
  const plan = await fresh(session).em.findOneOrFail(Product, { default: true });
  const meter = await aUsageMeter(session);
  await aProductFeature(session, plan.id, (await aCreditGrant(session, meter.id)).id);
  const clocked = await aClockedCustomer(session);
  const [free] = await subscriptionsOf(session, clocked.customer.id);
  const user = { id: free?.id ?? '', slug: meter.slug };
  await use(session, user, 130);
  expect(await availableOf(session, user)).toBe(-30);
  await advance(session, clocked.clock.id, '2026-03-01');
  expect(await storyOf(session, user)).toEqual([
    '100 feature 2026-02-28',
    '100 feature 2026-03-31',
  ]);
  expect(await availableOf(session, user)).toBe(70);
});
