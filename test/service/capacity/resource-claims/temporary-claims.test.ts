// @module-tag long
import { describe, expect } from 'vitest';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { expireDueClaims } from '#domain/capacity/commands/resource-claims/expire-due-claims.ts';
import { resourceUsages } from '#domain/capacity/commands/resource-claims/read-resource-usage.ts';
import { releaseResource } from '#domain/capacity/commands/resource-claims/release-resource.ts';
import {
  activeClaimCounts,
  markTemporaryClaims,
  requireRoomForClaims,
} from '#domain/capacity/temporary-claims.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { archiveCustomer } from '#domain/platform/commands/customers/archive-customer.ts';
import { expireSubscriptionItemFeature } from '#domain/subscriptions/commands/subscription-item-features/expire-subscription-item-feature.ts';
import { addFeatureToSubscription } from '#domain/subscriptions/commands/subscriptions/add-feature-to-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import { aCustomer, aPaymentMethod, aSubscription } from '../../../support/factories.ts';
import { aSeatFeature, aSubscriptionWithSeats, type Seats } from '../../../support/seats.ts';
import { testAlone } from '../../../support/test.ts';
import { advance, at, eventsOf, fresh, told } from '../../../support/timeline.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const claim = (session: Session, { subscriptionId, resourceSlug }: Seats, quantity: number) =>
  claimResource(fresh(session), { subscriptionId, resourceSlug, quantity });

const name = (session: Session, { subscriptionId, resourceSlug }: Seats, externalId: string) =>
  claimResource(fresh(session), { subscriptionId, resourceSlug, externalId });

const cancel = (
  session: Session,
  { subscriptionId: id }: Seats,
  timing: 'immediately' | 'at_end_of_current_billing_period',
) => cancelSubscription(fresh(session), { id, cancellation: { timing } });

const usage = async (session: Session, seats: Seats) => {
  const [first] = await resourceUsages(fresh(session), seats);
  return first && [first.capacity, first.claimed, first.capacity - first.claimed - first.reserved];
};

/** Every claim of a subscription as `name reason expiry`, sorted. */
const story = async (session: Session, { subscriptionId }: Seats) =>
  (await fresh(session).em.find(ResourceClaim, { subscriptionId }))
    .map(
      ({ externalId, releaseReason, expiredAt }) =>
        `${externalId ?? '-'} ${releaseReason ?? 'active'} ${told(expiredAt)}`,
    )
    .sort();

/** The counters equal a count of the rows, at any instant. */
async function expectCounted(session: Session) {
  const differing = await session.em.execute(
    `select * from (
       select subscription_id, resource_id, coalesce(expired_at, 'infinity') as expires_at, count(*) as n
       from resource_claim where released_at is null group by 1, 2, 3) as counted
     full join (select * from resource_claim_count where claimed > 0) as kept
       using (subscription_id, resource_id, expires_at)
     where n is distinct from claimed`,
  );
  expect(differing).toEqual([]);
}

describe('while a cancellation is scheduled', () => {
  test('new claims end with it, older ones do not; without a schedule none does', async ({
    session,
  }) => {
    const seats = await aSubscriptionWithSeats(session);
    await claim(session, seats, 1);
    await cancel(session, seats, 'at_end_of_current_billing_period');
    const { claims } = await claim(session, seats, 2);
    expect(claims.map(({ expiredAt }) => told(expiredAt))).toEqual(['2026-02-28', '2026-02-28']);
    expect(await usage(session, seats)).toEqual([5, 3, 2]);
    expect(await story(session, seats)).toEqual([
      '- active 2026-02-28',
      '- active 2026-02-28',
      '- active null',
    ]);
    await expectCounted(session);
  });

  test('they are claimed for good again when the cancellation is reverted', async ({ session }) => {
    const seats = await aSubscriptionWithSeats(session);
    await cancel(session, seats, 'at_end_of_current_billing_period');
    const [made] = (await claim(session, seats, 1)).claims;
    await uncancelSubscription(fresh(session), { id: seats.subscriptionId });
    await advance(session, seats.clockId, '2026-03-15');
    expect(await story(session, seats)).toEqual(['- active null']);
    expect((await eventsOf(session, made?.id ?? '')).map(({ type }) => type)).toEqual([
      'resource_claim.created',
      'resource_claim.updated',
    ]);
    await expectCounted(session);
  });

  test('when it takes effect, what was temporary has expired and the rest is released for it', async ({
    session,
  }) => {
    const seats = await aSubscriptionWithSeats(session);
    const [lasting] = (await name(session, seats, 'old')).claims;
    await cancel(session, seats, 'at_end_of_current_billing_period');
    const [temporary] = (await name(session, seats, 'new')).claims;
    await advance(session, seats.clockId, '2026-03-01');
    expect(await story(session, seats)).toEqual([
      'new expired 2026-02-28',
      'old scheduled_cancellation null',
    ]);
    const last = async (id = '') => (await eventsOf(session, id)).at(-1);
    expect(await last(lasting?.id)).toMatchObject({
      type: 'resource_claim.released',
      previousAttributes: { releasedAt: null, releaseReason: null },
      data: { releaseReason: 'scheduled_cancellation' },
      customerId: seats.customerId,
    });
    expect(await last(temporary?.id)).toMatchObject({
      type: 'resource_claim.expired',
      data: { releasedAt: at('2026-02-28').getTime(), releaseReason: 'expired' },
      occurredAt: at('2026-02-28'),
    });
    await expectCounted(session);
  });
});

describe('an expired claim', () => {
  /** Three lasting claims and two that have expired and that no request has expired, on no clock. */
  const unswept = async (session: Session) => {
    const { featureId, ...resource } = await aSeatFeature(session);
    const { id: subscriptionId, customerId } = await aSubscription(session, {
      doNotCharge: true,
      featureIds: [featureId],
    });
    const seats = { subscriptionId, customerId, clockId: '', ...resource };
    const names = ['a', 'b', 'c', 'x', 'y'];
    const { em, ...scope } = fresh(session);
    await claimResource(fresh(session), { ...seats, externalIds: names });
    const over = new Date(scope.now.getTime() - 1);
    await em.execute(
      `update resource_claim set expired_at = ? where subscription_id = ? and external_id in ('x', 'y')`,
      [over, subscriptionId],
    );
    return seats;
  };

  test('does not count from that instant on, swept or not', async ({ session }) => {
    const seats = await unswept(session);
    expect(await usage(session, seats)).toEqual([5, 3, 2]);
    await claim(session, seats, 2);
    await expect(claim(session, seats, 1)).rejects.toThrow('0 available');
    await expectCounted(session);
  });

  test('cannot be released any more, and never blocks its name', async ({ session }) => {
    const seats = await unswept(session);
    const { subscriptionId, resourceSlug } = seats;
    const gone = { subscriptionId, resourceSlug, externalId: 'x' };
    await expect(releaseResource(fresh(session), gone)).rejects.toMatchObject({
      issues: [{ message: expect.stringContaining('x is not an active claim') }],
    });
    const { claims } = await name(session, seats, 'x');
    expect(claims).toMatchObject([{ externalId: 'x', expiredAt: null, releasedAt: null }]);
    expect(await story(session, seats)).toEqual([
      'a active null',
      'b active null',
      'c active null',
      expect.stringMatching(/^x active null$/),
      expect.stringMatching(/^x expired 2/),
      expect.stringMatching(/^y active 2/),
    ]);
    await expectCounted(session);
  });

  test('is noted down by the job, once, with an event', async ({ session, database }) => {
    const em = database.orm.em.fork();
    await expireDueClaims(em, new Date(), 'job');
    const seats = await unswept(session);
    expect(await expireDueClaims(em, new Date(), 'job')).toBe(2);
    expect(await expireDueClaims(em, new Date(), 'job')).toBe(0);
    const [swept] = await fresh(session).em.find(ResourceClaim, {
      subscriptionId: seats.subscriptionId,
      releaseReason: 'expired',
    });
    expect(swept?.releasedAt).toEqual(swept?.expiredAt);
    expect((await eventsOf(session, swept?.id ?? '')).map(({ type }) => type)).toEqual([
      'resource_claim.created',
      'resource_claim.expired',
    ]);
    expect(await usage(session, seats)).toEqual([5, 3, 2]);
    await expectCounted(session);
  });
});

describe('capacity', () => {
  test('is that of quantity times the feature, and of what is added by hand', async ({
    session,
  }) => {
    const seats = await aSubscriptionWithSeats(session, { quantity: 3 });
    expect(await usage(session, seats)).toEqual([15, 0, 15]);
    const { subscriptionId: id, featureId } = seats;
    await addFeatureToSubscription(fresh(session), { id, featureId });
    expect(await usage(session, seats)).toEqual([20, 0, 20]);
  });

  test('drops with a feature that expires under claims, which stay', async ({ session }) => {
    const seats = await aSubscriptionWithSeats(session);
    await claim(session, seats, 3);
    const { subscriptionId } = seats;
    const [feature] = await fresh(session).em.find(SubscriptionItemFeature, { subscriptionId });
    await expireSubscriptionItemFeature(fresh(session), {
      id: feature?.id ?? '',
      expiredAt: at('2026-01-31'),
    });
    expect(await usage(session, seats)).toEqual([0, 3, -3]);
    await expect(claim(session, seats, 1)).rejects.toThrow('0 available, 0 in total');
  });

  test('to be reduced makes the newest claims temporary, those that are there and those to come', async ({
    session,
  }) => {
    const seats = await aSubscriptionWithSeats(session);
    const { subscriptionId, featureId } = seats;
    await addFeatureToSubscription(fresh(session), { id: subscriptionId, featureId });
    await claim(session, seats, 4);
    await claim(fresh(session, at('2026-02-01')), seats, 2);
    const [item] = await fresh(session).em.find(SubscriptionItem, {
      subscription: subscriptionId,
      manuallyCreated: true,
    });
    await session.em.execute('update subscription_item set expired_at = ? where id = ?', [
      at('2026-02-10'),
      item?.id ?? '',
    ]);
    for (const _ of [1, 2]) {
      await markTemporaryClaims(fresh(session, at('2026-01-31')), subscriptionId);
      const lasting = Array(5).fill('- active null');
      expect(await story(session, seats)).toEqual(['- active 2026-02-10', ...lasting]);
    }
    const { claims } = await claim(session, seats, 2);
    expect(claims.map(({ expiredAt }) => told(expiredAt))).toEqual(['2026-02-10', '2026-02-10']);
    await expectCounted(session);
    await advance(session, seats.clockId, '2026-02-10');
    expect(await usage(session, seats)).toEqual([5, 5, 0]);
    await expectCounted(session);
  });

  test('is refused to a change of items under active claims', async ({ session }) => {
    const seats = await aSubscriptionWithSeats(session);
    await claim(session, seats, 3);
    const { subscriptionId, resourceId, resourceSlug } = seats;
    const present = fresh(session, at('2026-01-31'));
    expect(await activeClaimCounts(present, subscriptionId)).toEqual([
      { resourceId, resourceSlug, claimed: 3 },
    ]);
    await requireRoomForClaims(present, subscriptionId, new Map([[resourceId, 3]]));
    for (const capacities of [new Map([[resourceId, 2]]), new Map<string, number>()]) {
      await expect(requireRoomForClaims(present, subscriptionId, capacities)).rejects.toThrow(
        /cannot be reduced to \d: 3 are claimed or reserved, so release \d first/,
      );
    }
  });
});

describe('every claim is released', () => {
  const ends: Record<string, (session: Session, seats: Seats) => Promise<unknown>> = {
    'by an immediate cancellation': (session, seats) => cancel(session, seats, 'immediately'),
    'when the customer is archived': async (session, { customerId }) => {
      const { externalId } = await fresh(session).em.findOneOrFail(Customer, customerId);
      return archiveCustomer(fresh(session), { externalId });
    },
  };

  test.for(Object.entries(ends))('%s', async ([, end], { session }) => {
    const seats = await aSubscriptionWithSeats(session);
    await claim(session, seats, 2);
    await name(session, seats, 'a');
    await end(session, seats);
    expect(await story(session, seats)).toEqual([
      '- subscription_canceled null',
      '- subscription_canceled null',
      'a subscription_canceled null',
    ]);
    expect(await usage(session, seats)).toEqual([0, 0, 0]);
    await expectCounted(session);
  });

  test('of none there are', async ({ session }) => {
    const seats = await aSubscriptionWithSeats(session);
    await cancel(session, seats, 'immediately');
    expect(await story(session, seats)).toEqual([]);
    expect(await usage(session, seats)).toEqual([0, 0, 0]);
  });

  test('none is made before the very first payment, whatever becomes of it', async ({
    session,
  }) => {
    const { featureId, ...resource } = await aSeatFeature(session);
    const customer = await aCustomer(session);
    const { id: subscriptionId } = await aSubscription(session, {
      customerId: customer.id,
      featureIds: [featureId],
    });
    const seats = { subscriptionId, customerId: customer.id, clockId: '', ...resource };
    await expect(claim(session, seats, 2)).rejects.toMatchObject({ code: 'CONFLICT' });
    const token = 'sandbox_decline_insufficient_funds';
    await aPaymentMethod(session, customer.id, { token, default: true });
    expect(await story(session, seats)).toEqual([]);
  });

  test('when a paid subscription takes the place of the free plan', async ({ session }) => {
    const { featureId, ...resource } = await aSeatFeature(session);
    const customer = await aCustomer(session);
    const [free] = await session.em.find(Subscription, { customer: customer });
    const id = free?.id ?? '';
    await addFeatureToSubscription(fresh(session), { id, featureId });
    const seats = { subscriptionId: id, customerId: customer.id, clockId: '', ...resource };
    await claim(session, seats, 2);
    await aSubscription(session, { customerId: customer.id, doNotCharge: true });
    expect(await story(session, seats)).toEqual(Array(2).fill('- subscription_canceled null'));
  });
});

test('a claim asks of a subscription as it is by now, whether the job has come by or not', async ({
  session,
}) => {
  const { featureId, ...resource } = await aSeatFeature(session);
  const { id: subscriptionId, customerId } = await aSubscription(session, {
    doNotCharge: true,
    featureIds: [featureId],
  });
  const seats = { subscriptionId, customerId, clockId: '', ...resource };
  await claim(session, seats, 1);
  await cancel(session, seats, 'at_end_of_current_billing_period');
  const later = fresh(session, new Date(session.now.getTime() + 40 * 86_400_000));
  await expect(claim(later, seats, 1)).rejects.toThrow('has ended');
  expect(await story(session, seats)).toEqual(['- scheduled_cancellation null']);
});

test('of calls that race for one name, one makes the claim and all are given it', async ({
  session,
}) => {
  const seats = await aSubscriptionWithSeats(session);
  const answers = await Promise.all(Array.from({ length: 8 }, () => name(session, seats, 'a')));
  expect(new Set(answers.flatMap(({ claims }) => claims.map(({ id }) => id))).size).toBe(1);
  expect(await usage(session, seats)).toEqual([5, 1, 4]);
});

test('nothing stays claimed or reserved when claims race the end of their subscription', async ({
  session,
}) => {
  const seats = await aSubscriptionWithSeats(session, { seats: 50 });
  const attempts = Array.from({ length: 12 }, (_, turn) =>
    turn === 6 ? cancel(session, seats, 'immediately') : claim(session, seats, 2),
  );
  const outcomes = await Promise.allSettled(attempts);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason.message).toContain('has ended');
  }
  expect(outcomes[6]?.status).toBe('fulfilled');
  expect(await usage(session, seats)).toEqual([0, 0, 0]);
  expect((await story(session, seats)).every((one) => one.includes('subscription_canceled'))).toBe(
    true,
  );
  await expectCounted(session);
});

test('nobody waits in a circle when claims race the boundaries of many periods', async ({
  session,
}) => {
  const seats = await aSubscriptionWithSeats(session, { seats: 50 });
  const moves = [
    advance(session, seats.clockId, '2026-06-15'),
    ...Array.from({ length: 10 }, () => claim(session, seats, 1)),
  ];
  await Promise.all(moves);
  expect(await usage(session, seats)).toEqual([50, 10, 40]);
  await expectCounted(session);
});
