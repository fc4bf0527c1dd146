import { describe, expect } from 'vitest';
import { createCustomerToken } from '#domain/platform/commands/api-keys/create-customer-token.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { createSubscriptionPhase } from '#domain/subscriptions/commands/subscription-phases/create-subscription-phase.ts';
import { anAdjustable } from '../../support/adjustments.ts';
import { aPriceOf } from '../../support/factories.ts';
import { test as base, graphqlOf } from '../../support/test.ts';
import { fresh } from '../../support/timeline.ts';

const atEnd = 'at_end_of_current_billing_period';

/** A subscription at 10.00 for 30 days, and what a token of its customer asks of it. */
const test = base.extend('plan', async ({ gateway, session }) => {
  const it = await anAdjustable(session);
  const token = await createCustomerToken(fresh(session), {
    customer: it.customer.id,
    scopes: ['subscriptions_write'],
  });
  const ask = async (field: string, kind: string, input: object, answer: string) => {
    const document = `mutation($id: ID!, $input: ${kind}!) { answer: ${field.replace('INPUT', '$input')} { ${answer} } }`;
    const { data, errors } = await graphqlOf(gateway, token.token)(document, { id: it.id, input });
    return data?.answer ?? errors[0].extensions;
  };
  const toPrice = (timing: string, priceId: string, quantity = 1) => ({
    timing,
    newSubscriptionItems: [{ priceId, quantity }],
  });
  const adjustment = 'adjustSubscription(id: $id, adjustment: INPUT)';
  return {
    ...it,
    lasting: (unitPrice: number, intervalCount: number) =>
      aPriceOf(fresh(session), { unitPrice, intervalUnit: 'day', intervalCount }),
    change: (...to: Parameters<typeof toPrice>) =>
      ask(adjustment, 'AdjustSubscriptionInput', toPrice(...to), 'resolvedTiming'),
    previewed: (...to: Parameters<typeof toPrice>) =>
      ask(
        'previewSubscriptionAdjustment(id: $id, adjustment: INPUT)',
        'AdjustSubscriptionInput',
        toPrice(...to),
        'adjustmentPreview { canAdjust reason resolvedTiming }',
      ),
    end: (cancellation: object) =>
      ask(
        'cancelSubscription(id: $id, cancellation: INPUT)',
        'CancelSubscriptionInput',
        cancellation,
        'subscription { status cancelScheduledAt }',
      ),
    pauses: (timing: string) =>
      ask(
        'pauseSubscription(id: $id, pause: INPUT)',
        'PauseSubscriptionInput',
        { timing },
        'subscription { status pauseScheduledAt }',
      ),
  };
});

const forbidden = (path: string, allowed: string) => ({
  code: 'FORBIDDEN',
  issues: [{ path: path.split('.'), message: expect.stringContaining(allowed) }],
});
const tooEarly = forbidden('adjustment.timing', `must be auto or ${atEnd}`);

describe('a customer token changes a plan at once', () => {
  test('only where that costs more', async ({ plan }) => {
    const [same, dearer] = [await plan.lasting(1_000, 30), await plan.lasting(5_000, 30)];
    expect(await plan.change('immediately', same)).toMatchObject(tooEarly);
    expect(await plan.change('immediately', dearer)).toEqual({ resolvedTiming: 'immediately' });
    expect(await plan.change('immediately', same)).toMatchObject(tooEarly);
    expect(await plan.previewed('immediately', same)).toMatchObject({
      adjustmentPreview: { canAdjust: false, reason: expect.stringContaining(atEnd) },
    });
    expect(await plan.change('auto', same)).toEqual({ resolvedTiming: atEnd });
    expect(await plan.change('immediately', dearer, 2)).toEqual({ resolvedTiming: 'immediately' });
  });

  test('only where the billing interval does not become shorter', async ({ plan }) => {
    const [longer, shorter] = [await plan.lasting(9_000, 300), await plan.lasting(1_000, 30)];
    expect(await plan.change('auto', longer)).toEqual({ resolvedTiming: 'immediately' });
    expect(await plan.change('immediately', shorter)).toMatchObject(tooEarly);
    // More of a shorter one costs more, but begins a period with new credits for the difference.
    expect(await plan.change('immediately', shorter, 10)).toMatchObject(tooEarly);
    expect(await plan.previewed('auto', shorter, 10)).toMatchObject({
      adjustmentPreview: { canAdjust: true, resolvedTiming: atEnd },
    });
    expect(await plan.change('auto', shorter, 10)).toEqual({ resolvedTiming: atEnd });
  });

  test('unlike its seller, who chooses any time', async ({ plan }) => {
    const cheaper = await plan.lasting(100, 10);
    expect(await plan.adjust([{ priceId: cheaper }])).toMatchObject({
      resolvedTiming: 'immediately',
    });
  });
});

test('a cheaper phase of the seller starts within a period before the command of a token', async ({
  plan,
  session,
}) => {
  await createSubscriptionPhase(plan.fresh(), {
    subscriptionPhase: {
      subscriptionId: plan.id,
      timing: 'at_date',
      startsAt: plan.day(10),
      items: [{ priceId: await plan.lasting(100, 30) }],
    },
  });
  const { testClockId } = await plan.current();
  const set = 'update test_clock set frozen_time = ? where id = ?';
  await session.em.execute(set, [plan.day(11), testClockId]);
  const dearer = await plan.lasting(500, 30);
  expect(await plan.change('immediately', dearer)).toEqual({ resolvedTiming: 'immediately' });
});

describe('a customer token ends a subscription', () => {
  test('at the end of a period, this one or a later one', async ({ plan }) => {
    const refused = forbidden('cancellation.cancelAt', `use ${atEnd}, or immediately`);
    for (const day of [15, 30.001, 45, 89.999]) {
      const cancelAt = plan.day(day).toISOString();
      expect(await plan.end({ timing: 'at_date', cancelAt })).toMatchObject(refused);
    }
    for (const day of [90, 30]) {
      const cancelAt = plan.day(day).toISOString();
      expect(await plan.end({ timing: 'at_date', cancelAt })).toEqual({
        subscription: { status: 'cancellation_scheduled', cancelScheduledAt: Date.parse(cancelAt) },
      });
    }
    expect(await plan.end({ timing: atEnd })).toMatchObject({ subscription: {} });
    expect(await plan.end({ timing: 'immediately' })).toMatchObject({
      subscription: { status: 'canceled' },
    });
  });

  test('at the end of a later period only while no other interval is planned', async ({ plan }) => {
    expect(await plan.change(atEnd, await plan.lasting(9_000, 300))).toEqual({
      resolvedTiming: atEnd,
    });
    const later = { timing: 'at_date', cancelAt: plan.day(330).toISOString() };
    expect(await plan.end(later)).toMatchObject({ code: 'FORBIDDEN' });
  });
});

test('a customer token pauses at the end of the period only', async ({ plan, session }) => {
  await updateOrganization(fresh(session), { organization: { customersMayPause: true } });
  const refused = forbidden('pause.timing', `must be ${atEnd}`);
  expect(await plan.pauses('immediately')).toMatchObject(refused);
  expect(await plan.pauses(atEnd)).toMatchObject({ subscription: { status: 'active' } });
});
