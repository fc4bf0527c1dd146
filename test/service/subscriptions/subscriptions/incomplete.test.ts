import { describe, expect } from 'vitest';
import { reserveResource } from '#domain/capacity/commands/reservations/reserve-resource.ts';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Event } from '#domain/model/platform/event.ts';
import { detachPaymentMethod } from '#domain/money/commands/payment-methods/detach-payment-method.ts';
import { recordUsageEvents } from '#domain/recording/present/record-usage-events.ts';
import { readUsageEvent } from '#domain/recording/read-usage-events.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { nextStepOf } from '#domain/subscriptions/commands/subscriptions/next-step.ts';
import {
  aCustomer,
  allowSeveral,
  aPaymentMethod,
  aSubscription,
  fresh,
} from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { aTimeline } from '../../../support/money-timeline.ts';
import { aCatalog, aPlan } from '../../../support/plans.ts';
import { testAlone } from '../../../support/test.ts';
import { use } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations');

type Timeline = Awaited<ReturnType<typeof aTimeline>>;

/** The subscriptions of a customer as `free status reason`, sorted. */
const shown = async (timeline: Timeline) =>
  (await timeline.subscriptions())
    .map(({ isFreePlan, status, cancellationReason }) =>
      [isFreePlan ? 'free' : 'paid', status, cancellationReason].filter(Boolean).join(' '),
    )
    .toSorted();

const stepOf = async (timeline: Timeline, id: string) =>
  nextStepOf(timeline.fresh(), await timeline.subscription(id));

describe('a subscription without a payment method', () => {
  test('leaves the free plan current until the first payment, which takes its place at once', async ({
    session,
  }) => {
    const timeline = await aTimeline(session);
    const { id, status } = await timeline.subscribes();
    expect(status).toBe('incomplete');
    expect(await shown(timeline)).toEqual(['free active', 'paid incomplete']);
    await timeline.toDay(40);
    expect(await shown(timeline)).toEqual(['free active', 'paid incomplete']);
    expect(await stepOf(timeline, id)).toBe('add_payment_method');
    await timeline.pays('sandbox_success');
    expect(await shown(timeline)).toEqual(['free canceled upgraded_to_paid', 'paid active']);
    const free = (await timeline.subscriptions()).find(({ isFreePlan }) => isFreePlan);
    expect(free).toMatchObject({ replacedBySubscriptionId: id, canceledAt: timeline.day(40) });
    expect(await stepOf(timeline, id)).toBe(null);
    const types = (
      await timeline
        .fresh()
        .em.find(Event, { objectId: free?.id ?? '' }, { orderBy: { position: 'asc' } })
    ).map(({ type }) => type);
    expect(types.at(-1)).toBe('subscription.updated');
    await expectMoneyToAgree(session);
  });

  test('never takes its place when the first payment fails, and the very same free plan continues', async ({
    session,
  }) => {
    const timeline = await aTimeline(session);
    await timeline.subscribes();
    await timeline.pays('sandbox_decline_expired_card');
    expect(await shown(timeline)).toEqual(['free active', 'paid canceled non_payment']);
    await expectMoneyToAgree(session);
  });

  test('gives way to another one, also where the first payment comes by hand or several are allowed', async ({
    session,
  }) => {
    const timeline = await aTimeline(session);
    await timeline.subscribes();
    const second = await timeline.subscribes();
    expect(await shown(timeline)).toEqual([
      'free active',
      'paid canceled other',
      'paid incomplete',
    ]);
    await cancelSubscription(timeline.fresh(), {
      id: second.id,
      cancellation: { timing: 'immediately' },
    });
    expect(await shown(timeline)).toEqual(['free active', 'paid canceled', 'paid canceled other']);
    await allowSeveral(session);
    for (const _ of [1, 2]) await timeline.subscribes();
    await timeline.pays('sandbox_success');
    expect(await shown(timeline)).toEqual([
      'free canceled upgraded_to_paid',
      'paid active',
      'paid active',
      'paid canceled',
      'paid canceled other',
    ]);
    await expectMoneyToAgree(session);
  });
});

describe('a first payment that is under way', () => {
  test('leaves the free plan current, states what is missing, and cannot be waited for to the end of its period', async ({
    session,
  }) => {
    for (const [token, step] of [
      ['sandbox_slow', 'await_payment'],
      ['sandbox_requires_action', 'confirm_payment'],
    ] as const) {
      const timeline = await aTimeline(session);
      await timeline.pays(token);
      const { id } = await timeline.subscribes();
      expect(await shown(timeline)).toEqual(['free active', 'paid incomplete']);
      expect(await stepOf(timeline, id)).toBe(step);
      const cancellation = { timing: 'at_end_of_current_billing_period' } as const;
      await expect(
        cancelSubscription(timeline.fresh(), { id, cancellation }),
      ).rejects.toMatchObject({
        issues: [{ message: expect.stringContaining('must be immediately') }],
      });
    }
  });
});

describe('the next step', () => {
  test('of a trial without a payment method, and of one whose card has failed, is named', async ({
    session,
  }) => {
    const timeline = await aTimeline(session);
    const { id } = await timeline.subscribes({ trialEnd: timeline.day(7) });
    expect(await stepOf(timeline, id)).toBe('add_payment_method');
    const method = await timeline.pays('sandbox_success');
    expect(await stepOf(timeline, id)).toBe(null);
    await timeline.toDay(8);
    await timeline.pays('sandbox_decline_expired_card', { default: true });
    await detachPaymentMethod(timeline.fresh(), { id: method.id });
    await timeline.toDay(39);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'past_due' });
    expect(await stepOf(timeline, id)).toBe('replace_payment_method');
  });
});

describe('an incomplete subscription', () => {
  test('takes neither claims nor reservations before its first payment, and both after', async ({
    session,
  }) => {
    const { customer, id, seats } = await anIncomplete(session);
    const attempts = [
      () => claimResource(fresh(session), { ...seats, quantity: 1 }),
      () => claimResource(fresh(session), { ...seats, externalId: 'ada' }),
      () => reserveResource(fresh(session), { ...seats, quantity: 1 }),
    ];
    const refusal = {
      code: 'CONFLICT',
      message: expect.stringContaining(`${id} is incomplete`),
    };
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(refusal);
    const together = await Promise.allSettled([1, 2, 3].map(() => attempts[0]?.()));
    expect(together.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    await aPaymentMethod(session, customer.id);
    for (const attempt of attempts) await attempt();
  });

  test('hands what was used of it over to the one that replaces it, which is billed for it once', async ({
    session,
  }) => {
    const catalog = await aCatalog(session);
    const { priceId } = await aPlan(session, { unitPrice: 2_000 });
    const timeline = await aTimeline(session);
    const first = await timeline.subscribes({ priceId });
    const using = { ...catalog, slug: catalog.meter.slug };
    const [event] = await use(timeline.fresh(), { ...using, id: first.id }, 100);
    const second = await timeline.subscribes({ priceId });
    expect(await timeline.subscription(first.id)).toMatchObject({
      status: 'canceled',
      cancellationReason: 'other',
      replacedBySubscriptionId: second.id,
    });
    const read = await readUsageEvent(timeline.fresh(), event?.id ?? '');
    expect(read).toMatchObject({ subscriptionId: second.id, amount: '100' });
    // The same report again is the same event.
    const again = { subscriptionId: second.id, transactionId: event?.transactionId ?? '' };
    const usageEvents = [{ ...again, usageMeterSlug: catalog.meter.slug, amount: '100' }];
    expect(await recordUsageEvents(timeline.fresh(), { usageEvents })).toMatchObject({
      repeated: [true],
    });
    await timeline.pays('sandbox_success');
    await timeline.toDay(31);
    expect((await timeline.payments()).map(({ amount }) => amount)).toEqual([2_000, 2_020]);
    await expectLedgersToAgree(session);
    await expectMoneyToAgree(session);
  });
});

/** An incomplete subscription to a plan with seats, of a customer without a clock. */
async function anIncomplete(session: Session) {
  const catalog = await aCatalog(session);
  const { priceId } = await aPlan(session, { features: [catalog.seats(5)] });
  const customer = await aCustomer(session);
  const { id } = await aSubscription(session, { customerId: customer.id, priceId });
  return { customer, id, seats: { subscriptionId: id, resourceSlug: catalog.resource.slug } };
}
