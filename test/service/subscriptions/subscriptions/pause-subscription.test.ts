// @module-tag long
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { createPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { resumeSubscription } from '#domain/subscriptions/commands/subscriptions/resume-subscription.ts';
import {
  currentSubscriptionsOf,
  hasFeature,
} from '#domain/subscriptions/entitlement/entitlements.ts';
import { aPriceOf } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { aSubscriptionWithSeats } from '../../../support/seats.ts';
import { seeded } from '../../../support/seeded.ts';
import { test } from '../../../support/test.ts';
import {
  advance,
  aTimedSubscription,
  at,
  fresh,
  periodsOf,
  subscriptionOf,
  told,
} from '../../../support/timeline.ts';
import { aMeteredSubscription, use, voidEvent } from '../../../support/usage.ts';

type Timing = 'immediately' | 'at_end_of_current_billing_period';

const pause = (session: Session, id: string, timing: Timing, resumesAt: Date | null = null) =>
  pauseSubscription(fresh(session), { id, pause: { timing, resumesAt } });
const resume = (session: Session, id: string) => resumeSubscription(fresh(session), { id });

const invoicesOf = (session: Session, subscription: string) =>
  fresh(session).em.find(Invoice, { subscription }, { orderBy: { position: 'asc' } });

const spans = async (session: Session, id: string) =>
  (await periodsOf(session, id)).map(
    ({ startDate, endDate, status }) => `${told(startDate)} ${told(endDate)} ${status}`,
  );

describe('a paused subscription', () => {
  test('is not charged, its period runs to its end, and a later resumption starts a new one from there', async ({
    session,
  }) => {
    const { id, clockId } = await aTimedSubscription(session, { paid: true });
    await advance(session, clockId, '2026-02-10');
    expect(await pause(session, id, 'immediately')).toMatchObject({
      status: 'paused',
      pausedAt: at('2026-02-10'),
      transitionDueAt: at('2026-02-28'),
    });
    await advance(session, clockId, '2026-05-15');
    expect(await subscriptionOf(session, id)).toMatchObject({
      status: 'paused',
      transitionDueAt: null,
    });
    expect(await spans(session, id)).toEqual(['2026-01-31 2026-02-28 completed']);
    expect(await resume(session, id)).toMatchObject({
      status: 'active',
      pausedAt: null,
      billingCycleAnchorDate: at('2026-05-15'),
    });
    await advance(session, clockId, '2026-06-16');
    expect(await spans(session, id)).toEqual([
      '2026-01-31 2026-02-28 completed',
      '2026-05-15 2026-06-15 completed',
      '2026-06-15 2026-07-15 active',
    ]);
    const invoices = await invoicesOf(session, id);
    expect(invoices.map(({ status, total }) => [status, total])).toEqual([
      ['paid', 1_000],
      ['paid', 1_000],
      ['paid', 1_000],
    ]);
    await expectMoneyToAgree(fresh(session));
  });

  test('that is resumed within its period continues it, without another charge', async ({
    session,
  }) => {
    const { id, clockId } = await aTimedSubscription(session, { paid: true });
    await advance(session, clockId, '2026-02-10');
    await pause(session, id, 'immediately');
    await advance(session, clockId, '2026-02-20');
    expect(await resume(session, id)).toMatchObject({
      status: 'active',
      transitionDueAt: at('2026-02-28'),
      billingCycleAnchorDate: at('2026-01-31'),
    });
    await advance(session, clockId, '2026-03-01');
    expect(await spans(session, id)).toEqual([
      '2026-01-31 2026-02-28 completed',
      '2026-02-28 2026-03-31 active',
    ]);
    expect(await invoicesOf(session, id)).toHaveLength(2);
  });

  test('pauses with its period and resumes by itself where that was asked for', async ({
    session,
  }) => {
    const { id, clockId } = await aTimedSubscription(session, { paid: true });
    await advance(session, clockId, '2026-02-10');
    expect(
      await pause(session, id, 'at_end_of_current_billing_period', at('2026-04-10')),
    ).toMatchObject({ status: 'active', pauseScheduledAt: at('2026-02-28') });
    await advance(session, clockId, '2026-03-05');
    expect(await subscriptionOf(session, id)).toMatchObject({
      status: 'paused',
      pausedAt: at('2026-02-28'),
      pauseScheduledAt: null,
      transitionDueAt: at('2026-04-10'),
    });
    await advance(session, clockId, '2026-04-11');
    expect(await subscriptionOf(session, id)).toMatchObject({ status: 'active', resumesAt: null });
    expect(await spans(session, id)).toEqual([
      '2026-01-31 2026-02-28 completed',
      '2026-04-10 2026-05-10 active',
    ]);
    await expect(
      pause(session, id, 'at_end_of_current_billing_period', at('2026-05-10')),
    ).rejects.toMatchObject({ issues: [{ path: ['pause', 'resumesAt'] }] });
    await pause(session, id, 'at_end_of_current_billing_period');
    expect(await resume(session, id)).toMatchObject({ pauseScheduledAt: null, status: 'active' });
  });

  test('grants no feature and no further seat, keeps its claims, and has them after it', async ({
    session,
  }) => {
    const { subscriptionId, resourceSlug, clockId } = await aSubscriptionWithSeats(session);
    const claim = () =>
      claimResource(fresh(session), { subscriptionId, resourceSlug, quantity: 2 });
    await claim();
    await advance(session, clockId, '2026-02-10');
    await pause(session, subscriptionId, 'immediately');
    await expect(claim()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('is paused'),
    });
    const { customer } = await subscriptionOf(session, subscriptionId);
    expect(await hasFeature(fresh(session), await customer.loadOrFail(), resourceSlug)).toBe(false);
    await advance(session, clockId, '2026-04-10');
    await resume(session, subscriptionId);
    expect(await claim()).toMatchObject({ usage: { claimed: 4 } });
  });

  test('has its usage billed at the end of its period, and later usage with the next one', async ({
    session,
  }) => {
    const { id, clockId, slug } = await aMeteredSubscription(session);
    await use(session, { id, slug }, 100);
    await advance(session, clockId, '2026-02-10');
    await pause(session, id, 'immediately');
    await advance(session, clockId, '2026-03-10');
    const before = await invoicesOf(session, id);
    expect(before.map(({ purpose, total }) => [purpose, total])).toEqual([
      ['period', 1_000],
      ['last_usage', 20],
    ]);
    await use(session, { id, slug }, 50);
    await resume(session, id);
    await advance(session, clockId, '2026-04-11');
    const after = await invoicesOf(session, id);
    expect(after.slice(2).reduce((sum, { total }) => sum + total, 0)).toBe(2_010);
    await expectMoneyToAgree(fresh(session));
    await expectLedgersToAgree(fresh(session));
  });

  test('has usage of the pause billed at the end, and corrections of earlier usage', async ({
    session,
  }) => {
    const { id, clockId, slug } = await aMeteredSubscription(session);
    const [first] = await use(session, { id, slug }, 100, 200);
    await advance(session, clockId, '2026-02-10');
    await pause(session, id, 'immediately');
    await advance(session, clockId, '2026-03-10');
    await use(session, { id, slug }, 50);
    await voidEvent(session, first?.id ?? '');
    await cancelSubscription(fresh(session), { id, cancellation: { timing: 'immediately' } });
    await advance(session, clockId, '2026-03-12');
    const paid = (await invoicesOf(session, id)).reduce((sum, { total }) => sum + total, 0);
    const { customer } = await subscriptionOf(session, id);
    const { creditBalance } = await customer.loadOrFail();
    // The plan, 200 of the period and 50 of the pause.
    expect(paid - creditBalance).toBe(1_000 + 40 + 10);
    await expectMoneyToAgree(fresh(session));
    await expectLedgersToAgree(fresh(session));
  });

  test('keeps the place of the one subscription, and can be canceled', async ({ session }) => {
    const { id, clockId, customerId } = await aTimedSubscription(session, { paid: true });
    await pause(session, id, 'immediately');
    await advance(session, clockId, '2026-03-10');
    const priceId = await aPriceOf(session, {});
    await expect(createSubscription(fresh(session), { customerId, priceId })).rejects.toMatchObject(
      { code: 'CONFLICT' },
    );
    const cancel = (timing: Timing) =>
      cancelSubscription(fresh(session), { id, cancellation: { timing } });
    await expect(cancel('at_end_of_current_billing_period')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await cancel('immediately')).toMatchObject({ status: 'canceled', pausedAt: null });
    expect(await subscriptionOf(session, id)).toMatchObject({ resumesAt: null });
  });

  test('is billed the same however often its clock is advanced', async ({ session }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          pausedOn: fc.integer({ min: 1, max: 40 }),
          length: fc.integer({ min: 1, max: 80 }),
          timing: fc.constantFrom<Timing>('immediately', 'at_end_of_current_billing_period'),
          steps: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 6 }),
        }),
        async ({ pausedOn, length, timing, steps }) => {
          const day = (days: number) => new Date(at('2026-01-31').getTime() + days * 86_400_000);
          const tell = async (stops: readonly number[]) => {
            const { id, clockId, slug } = await aMeteredSubscription(session);
            await use(session, { id, slug }, 100);
            await advance(session, clockId, day(pausedOn).toISOString());
            await pause(session, id, timing, day(pausedOn + 60 + length));
            for (const stop of stops.filter((stop) => stop > pausedOn)) {
              await advance(session, clockId, day(stop).toISOString());
            }
            await advance(session, clockId, day(250).toISOString());
            const invoices = await invoicesOf(session, id);
            return [
              await spans(session, id),
              invoices.map(({ total, purpose }) => [purpose, total]),
            ];
          };
          let days = pausedOn;
          const stops = steps.map((step) => (days += step));
          expect(await tell(stops)).toEqual(await tell([]));
        },
      ),
      seeded('pause', { numRuns: 5 }),
    );
    await expectMoneyToAgree(fresh(session));
    await expectLedgersToAgree(fresh(session));
  });
});

describe('a pause', () => {
  test('that keeps the billing charges its periods, grants nothing, and continues them afterwards', async ({
    session,
  }) => {
    const { subscriptionId, resourceSlug, clockId } = await aSubscriptionWithSeats(session);
    await createPaymentMethod(fresh(session), {
      paymentMethod: {
        customerId: (await subscriptionOf(session, subscriptionId)).customerId,
        type: 'card',
        token: 'sandbox_success',
        default: true,
      },
    });
    await advance(session, clockId, '2026-02-10');
    const paused = await pauseSubscription(fresh(session), {
      id: subscriptionId,
      pause: { timing: 'immediately', billing: 'keeps', resumesAt: at('2026-04-10') },
    });
    expect(paused).toMatchObject({ status: 'paused', current: false });
    await advance(session, clockId, '2026-03-05');
    expect(await subscriptionOf(session, subscriptionId)).toMatchObject({
      status: 'paused',
      transitionDueAt: at('2026-03-31'),
    });
    const claim = claimResource(fresh(session), { subscriptionId, resourceSlug, quantity: 1 });
    await expect(claim).rejects.toMatchObject({ code: 'CONFLICT' });
    await advance(session, clockId, '2026-04-12');
    expect(await subscriptionOf(session, subscriptionId)).toMatchObject({
      status: 'active',
      pauseBilling: null,
      transitionDueAt: at('2026-04-30'),
    });
    expect(await spans(session, subscriptionId)).toEqual([
      '2026-01-31 2026-02-28 completed',
      '2026-02-28 2026-03-31 completed',
      '2026-03-31 2026-04-30 active',
    ]);
    await expectMoneyToAgree(fresh(session));
  });

  test('that keeps the features charges nothing, and grants access and capacity', async ({
    session,
  }) => {
    const { subscriptionId, resourceSlug, clockId } = await aSubscriptionWithSeats(session);
    await advance(session, clockId, '2026-02-10');
    await pauseSubscription(fresh(session), {
      id: subscriptionId,
      pause: { timing: 'immediately', entitlements: 'on' },
    });
    await advance(session, clockId, '2026-03-10');
    const subscription = await subscriptionOf(session, subscriptionId);
    expect(subscription).toMatchObject({ status: 'paused', current: true });
    const customer = await subscription.customer.loadOrFail();
    const current = await currentSubscriptionsOf(fresh(session), customer);
    expect(current.map(({ id }) => id)).toContain(subscriptionId);
    expect(
      await claimResource(fresh(session), { subscriptionId, resourceSlug, quantity: 2 }),
    ).toMatchObject({ usage: { claimed: 2 } });
    expect(await spans(session, subscriptionId)).toEqual(['2026-01-31 2026-02-28 completed']);
  });

  test('pauses something, and keeps its options until it ends', async ({ session }) => {
    const { id } = await aTimedSubscription(session, { paid: true });
    const pauseWith = (pause: object) =>
      pauseSubscription(fresh(session), { id, pause: { timing: 'immediately', ...pause } });
    await expect(pauseWith({ billing: 'keeps', entitlements: 'on' })).rejects.toMatchObject({
      issues: [{ path: ['pause', 'entitlements'] }],
    });
    await pauseWith({ billing: 'keeps' });
    await expect(pauseWith({ billing: 'nothing' })).rejects.toMatchObject({
      issues: [{ path: ['pause', 'billing'] }],
    });
    expect(await pauseWith({ resumesAt: at('2026-06-01') })).toMatchObject({
      pauseBilling: 'keeps',
      resumesAt: at('2026-06-01'),
    });
  });

  test('of a customer is a plain one, where the organization permits it', async ({ session }) => {
    const { id, customerId } = await aTimedSubscription(session, { paid: true });
    const own = { ...fresh(session), keyType: 'customer_token', customerId } as const;
    const pause = (more: object = {}) =>
      pauseSubscription(own, {
        id,
        pause: { timing: 'at_end_of_current_billing_period', ...more },
      });
    await expect(pause()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await updateOrganization(fresh(session), { organization: { customersMayPause: true } });
    await expect(pause({ entitlements: 'on' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await pause()).toMatchObject({ pauseScheduledAt: at('2026-02-28') });
    expect(await resumeSubscription(own, { id })).toMatchObject({ pauseScheduledAt: null });
  });
});
