// @module-tag long
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { resumeSubscription } from '#domain/subscriptions/commands/subscriptions/resume-subscription.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { updateSubscription } from '#domain/subscriptions/commands/subscriptions/update-subscription.ts';
import { anchorOnDay } from '#domain/subscriptions/periods/chosen-anchor.ts';
import { refused } from '../../../support/adjustments.ts';
import { aPriceOf } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import {
  advance,
  aTimedSubscription,
  fresh,
  periodsOf,
  subscriptionOf,
} from '../../../support/timeline.ts';

const midnight = (day: string) => `${day}T00:00:00.000Z`;

/** The periods of a subscription as `start end: amount`. */
const amountsOf = async (session: Session, id: string) =>
  (await periodsOf(session, id)).map(({ startDate, endDate, items }) => {
    const amount = items.getItems().reduce((sum, item) => sum + item.unitPrice * item.quantity, 0);
    const day = (at: Date) => at.toISOString().replace('T00:00:00.000Z', '').slice(5, 16);
    return `${day(startDate)} ${day(endDate)}: ${amount}`;
  });

const totalsOf = async (session: Session, subscription: string) =>
  (
    await fresh(session).em.find(
      Invoice,
      { subscription },
      { orderBy: { createdAt: 'asc', position: 'asc' } },
    )
  ).map(({ subtotal }) => subtotal);

/** 3000 a month, from 10 April 2026 at midnight. */
const monthly = { paid: true, unitPrice: 3_000, from: midnight('2026-04-10') } as const;

describe('a subscription with a chosen day of the month', () => {
  test('charges the first period for its share of the cycle, then whole months', async ({
    session,
  }) => {
    const { id, clockId } = await aTimedSubscription(session, { ...monthly, anchorDayOfMonth: 1 });
    await advance(session, clockId, midnight('2026-06-02'));
    // 21 of 30 days of April.
    expect(await amountsOf(session, id)).toEqual([
      '04-10 05-01: 2100',
      '05-01 06-01: 3000',
      '06-01 07-01: 3000',
    ]);
    expect(await totalsOf(session, id)).toEqual([2_100, 3_000, 3_000]);
    const [first] = await periodsOf(session, id);
    expect(first?.cycleStart).toEqual(new Date(midnight('2026-04-01')));
    expect(first?.items.getItems()[0]?.name).toBe('Prorated: Pro');
  });

  test('ends on the last day of short months and returns to its day', async ({ session }) => {
    const from = midnight('2026-01-31');
    const terms = { ...monthly, from, anchorDayOfMonth: 31, startDate: new Date(from) };
    const { id, clockId } = await aTimedSubscription(session, terms);
    await advance(session, clockId, midnight('2026-05-01'));
    expect(await amountsOf(session, id)).toEqual([
      '01-31 02-28: 3000',
      '02-28 03-31: 3000',
      '03-31 04-30: 3000',
      '04-30 05-31: 3000',
    ]);
    expect(anchorOnDay(31, new Date('2026-03-01T00:00:00Z')).toISOString()).toBe(
      midnight('2026-01-31'),
    );
    expect(anchorOnDay(29, new Date('2026-03-01T00:00:00Z')).toISOString()).toBe(
      midnight('2026-01-29'),
    );
  });

  test('prorates after a trial, and what was previewed is charged', async ({ session }) => {
    const { id, clockId } = await aTimedSubscription(session, {
      ...monthly,
      anchorDayOfMonth: 1,
      trialEnd: new Date(midnight('2026-04-16')),
    });
    const upcoming = await upcomingInvoice(fresh(session), id);
    expect(upcoming?.invoice.subtotal).toBe(1_500);
    await advance(session, clockId, midnight('2026-04-20'));
    expect(await amountsOf(session, id)).toEqual(['04-10 04-16: 0', '04-16 05-01: 1500']);
    expect(await totalsOf(session, id)).toEqual([1_500]);
  });

  test('charges an upgrade within a short period by the days of the whole cycle', async ({
    session,
  }) => {
    const { id, clockId } = await aTimedSubscription(session, { ...monthly, anchorDayOfMonth: 1 });
    await advance(session, clockId, midnight('2026-04-21'));
    const priceId = await aPriceOf(session, { unitPrice: 6_000 });
    await adjustSubscription(fresh(session), {
      id,
      adjustment: { timing: 'immediately', newSubscriptionItems: [{ priceId }] },
    });
    // 10 of 30 days at 3000 more.
    expect(await totalsOf(session, id)).toEqual([2_100, 1_000]);
  });

  test('keeps its day after a pause', async ({ session }) => {
    const { id, clockId } = await aTimedSubscription(session, { ...monthly, anchorDayOfMonth: 1 });
    await pauseSubscription(fresh(session), {
      id,
      pause: { timing: 'at_end_of_current_billing_period' },
    });
    await advance(session, clockId, midnight('2026-06-16'));
    await resumeSubscription(fresh(session), { id });
    expect(await amountsOf(session, id)).toEqual(['04-10 05-01: 2100', '06-16 07-01: 1500']);
  });

  test('moves: the next period is charged for its share of the new cycle', async ({ session }) => {
    const { id, clockId } = await aTimedSubscription(session, monthly);
    const update = (subscription: object) =>
      updateSubscription(fresh(session), { id, subscription });
    await update({ anchorDayOfMonth: 25 });
    await advance(session, clockId, midnight('2026-06-26'));
    // 15 of the 30 days from 25 April to 25 May.
    expect(await amountsOf(session, id)).toEqual([
      '04-10 05-10: 3000',
      '05-10 05-25: 1500',
      '05-25 06-25: 3000',
      '06-25 07-25: 3000',
    ]);
    expect(await totalsOf(session, id)).toEqual([3_000, 1_500, 3_000, 3_000]);
    await expect(
      update({ billingCycleAnchorDate: new Date('2026-07-01T00:00:00Z') }),
    ).rejects.toMatchObject(
      refused('subscription.billingCycleAnchorDate', /must be at least 2026-07-25/),
    );
    await update({ billingCycleAnchorDate: new Date('2026-08-01T00:00:00Z') });
    await advance(session, clockId, midnight('2026-08-02'));
    expect((await amountsOf(session, id)).at(-1)).toBe('08-01 09-01: 3000');
  });

  test('is refused where days do not repeat by months, and too far away', async ({ session }) => {
    const weekly = { ...monthly, interval: 'week' as const };
    await expect(
      aTimedSubscription(session, { ...weekly, anchorDayOfMonth: 3 }),
    ).rejects.toMatchObject(refused('anchorDayOfMonth', /repeat by the week/));
    await expect(
      aTimedSubscription(session, {
        ...weekly,
        billingCycleAnchorDate: new Date(midnight('2026-05-01')),
      }),
    ).rejects.toMatchObject(refused('billingCycleAnchorDate', /must be at most 2026-04-17/));
  });
});

describe('a subscription with a number of periods', () => {
  test('ends with the last of them, and the customer returns to the free plan', async ({
    session,
  }) => {
    const { id, clockId } = await aTimedSubscription(session, { ...monthly, periodCount: 3 });
    expect(await subscriptionOf(session, id)).toMatchObject({ remainingPeriods: 2 });
    await advance(session, clockId, midnight('2026-06-20'));
    expect(await subscriptionOf(session, id)).toMatchObject({
      remainingPeriods: 0,
      status: 'active',
    });
    expect(await upcomingInvoice(fresh(session), id)).toBeNull();
    await advance(session, clockId, midnight('2026-07-20'));
    expect(await subscriptionOf(session, id)).toMatchObject({
      status: 'canceled',
      canceledAt: new Date(midnight('2026-07-10')),
    });
    expect(await totalsOf(session, id)).toEqual([3_000, 3_000, 3_000]);
  });

  test('counts no trial, and gets another number or none', async ({ session }) => {
    const { id, clockId } = await aTimedSubscription(session, {
      ...monthly,
      periodCount: 1,
      trialEnd: new Date(midnight('2026-04-16')),
    });
    expect(await subscriptionOf(session, id)).toMatchObject({ remainingPeriods: 1 });
    await advance(session, clockId, midnight('2026-04-20'));
    expect(await subscriptionOf(session, id)).toMatchObject({ remainingPeriods: 0 });
    await updateSubscription(fresh(session), { id, subscription: { remainingPeriods: null } });
    await advance(session, clockId, midnight('2026-06-20'));
    expect(await subscriptionOf(session, id)).toMatchObject({
      status: 'active',
      remainingPeriods: null,
    });
    await updateSubscription(fresh(session), { id, subscription: { remainingPeriods: 0 } });
    await advance(session, clockId, midnight('2026-07-20'));
    expect(await subscriptionOf(session, id)).toMatchObject({ status: 'canceled' });
  });
});
