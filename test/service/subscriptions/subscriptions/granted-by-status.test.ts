// @module-tag long
import { describe, expect } from 'vitest';
import { reserveResource } from '#domain/capacity/commands/reservations/reserve-resource.ts';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { voidInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { customerBalances } from '#domain/metering/commands/usage-balances/customer-balances.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { unpaidAccesses } from '#domain/model/platform/unpaid-access.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { recordUsageEvents } from '#domain/recording/present/record-usage-events.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { resumeSubscription } from '#domain/subscriptions/commands/subscriptions/resume-subscription.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import {
  currentSubscriptionsOf,
  hasFeature,
} from '#domain/subscriptions/entitlement/entitlements.ts';
import { aCreditGrant, aPaymentMethod, aToggle, aUsageMeter } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { aSeatFeature } from '../../../support/seats.ts';
import { test } from '../../../support/test.ts';
import {
  advance,
  aTimedSubscription,
  at,
  eventsOf,
  fresh,
  subscriptionOf,
} from '../../../support/timeline.ts';

type Access = (typeof unpaidAccesses)[number];
type Setup = Parameters<typeof aTimedSubscription>[1];

const never = 'sandbox_decline_insufficient_funds';

/** A plan of 1,000 a month from January 31 with a toggle, 5 seats and 100 credits of each period. */
async function aPlan(session: Session, setup: Setup = { paid: true }) {
  const toggle = await aToggle(session);
  const meter = await aUsageMeter(session);
  const credits = await aCreditGrant(session, meter.id);
  const seats = await aSeatFeature(session);
  const featureIds = [toggle.id, credits.id, seats.featureId];
  const timed = await aTimedSubscription(session, { ...setup, featureIds });
  const { id, customerId, clockId } = timed;
  let count = 0;
  const record = (of: { subscriptionId: string } | { customerId: string }) =>
    recordUsageEvents(fresh(session), {
      usageEvents: [
        { ...of, usageMeterId: meter.id, amount: '1', transactionId: `${id}-${++count}` },
      ],
    });
  const customer = () => fresh(session).em.findOneOrFail(Customer, customerId);
  return {
    ...timed,
    /** The answers of all ways to ask, which agree. */
    async granted() {
      const present = fresh(session);
      const owner = await present.em.findOneOrFail(Customer, customerId);
      const seat = { subscriptionId: id, resourceSlug: seats.resourceSlug, quantity: 1 };
      const doors = {
        current: (await subscriptionOf(session, id)).current,
        listed: (await currentSubscriptionsOf(present, owner)).some((one) => one.id === id),
        feature: await hasFeature(present, owner, toggle.slug),
        balance: (await customerBalances(present, owner, null)).length > 0,
        claim: await succeeds(claimResource(fresh(session), seat)),
        together: await succeedsTogether(() => claimResource(fresh(session), seat)),
        reservation: await succeeds(reserveResource(fresh(session), seat)),
        usage: await record({ customerId }).then(
          ({ events: [event] }) => event?.subscriptionId === id,
          () => false,
        ),
      };
      const [first] = Object.values(doors);
      expect(doors).toEqual(Object.fromEntries(Object.keys(doors).map((door) => [door, first])));
      return first;
    },
    recordsUsage: () => succeeds(record({ subscriptionId: id })),
    /** Makes each later charge fail until another payment method comes. */
    async stopsPaying() {
      const { em } = fresh(session);
      for (const method of await em.find(PaymentMethod, { customer: customerId }))
        method.token = never;
      await em.flush();
    },
    to: (date: string) => advance(session, clockId, date),
    status: async () => (await subscriptionOf(session, id)).status,
    pays: () => aPaymentMethod(fresh(session), customerId, { default: true }),
    credits: async (since: string) =>
      (
        await fresh(session).em.find(UsageCredit, {
          subscriptionId: id,
          createdAt: { $gte: at(since) },
        })
      ).map(({ amount }) => Number(amount)),
    invoicesFrom: (start: string) =>
      fresh(session).em.find(Invoice, {
        subscription: id,
        billingPeriodStartDate: { $gte: at(start) },
      }),
    openInvoices: () => fresh(session).em.find(Invoice, { subscription: id, status: 'open' }),
    customer,
  };
}

const succeeds = (act: Promise<unknown>) =>
  act.then(
    () => true,
    () => false,
  );

/** Simultaneous calls share a statement, which has conditions of its own. */
async function succeedsTogether(act: () => Promise<unknown>) {
  const [one, other] = await Promise.all([succeeds(act()), succeeds(act())]);
  expect(one).toBe(other);
  return one;
}

type Plan = Awaited<ReturnType<typeof aPlan>>;

/** A plan that stays unpaid from March 1 on, a day after its second period began. */
async function unpaid(session: Session, access?: Access) {
  const organization = { dunningRetryDays: [1], ...(access && { unpaidAccess: access }) };
  await updateOrganization(fresh(session), { organization });
  const plan = await aPlan(session);
  await plan.stopsPaying();
  await plan.to('2026-03-02');
  expect(await plan.status()).toBe('unpaid');
  return plan;
}

const later = { timing: 'at_end_of_current_billing_period' } as const;
const pause = (session: Session, { id }: Plan, more: object = {}) =>
  pauseSubscription(fresh(session), { id, pause: { timing: 'immediately', ...more } });

const until = async (session: Session, setup?: Setup) => {
  const plan = await aPlan(session, setup);
  await plan.to('2026-02-10');
  return plan;
};

/** Each status: how it comes about, and which of access, new credits, a new invoice and usage it has. */
const statuses: Record<
  string,
  readonly [setUp: (session: Session) => Promise<Plan>, has: string, boundary: string]
> = {
  active: [until, 'access credits invoice usage', '2026-02-28'],
  trialing: [
    (session) => until(session, { paid: true, trialEnd: at('2026-03-20') }),
    'access credits invoice usage',
    '2026-03-20',
  ],
  past_due: [
    async (session) => {
      await updateOrganization(fresh(session), { organization: { dunningRetryDays: [60] } });
      const plan = await aPlan(session);
      await plan.stopsPaying();
      await plan.to('2026-03-02');
      return plan;
    },
    'access credits invoice usage',
    '2026-03-31',
  ],
  'unpaid, keep': [(session) => unpaid(session, 'keep'), 'access credits usage', '2026-03-31'],
  'unpaid, no_new_credits': [(session) => unpaid(session), 'access usage', '2026-03-31'],
  'unpaid, none': [(session) => unpaid(session, 'none'), 'usage', '2026-03-31'],
  cancellation_scheduled: [
    async (session) => {
      const plan = await until(session);
      await cancelSubscription(fresh(session), { id: plan.id, cancellation: later });
      return plan;
    },
    'access usage',
    '2026-02-28',
  ],
  'cancellation_scheduled while unpaid, none': [
    async (session) => {
      const plan = await unpaid(session, 'none');
      await cancelSubscription(fresh(session), { id: plan.id, cancellation: later });
      return plan;
    },
    'usage',
    '2026-03-31',
  ],
  paused: [
    async (session) => {
      const plan = await until(session);
      await pause(session, plan);
      return plan;
    },
    'usage',
    '2026-02-28',
  ],
  'paused with its features': [
    async (session) => {
      const plan = await until(session);
      await pause(session, plan, { entitlements: 'on' });
      return plan;
    },
    'access usage',
    '2026-02-28',
  ],
  'paused with its features while unpaid, none': [
    async (session) => {
      const plan = await unpaid(session, 'none');
      await pause(session, plan, { entitlements: 'on' });
      return plan;
    },
    'usage',
    '2026-03-31',
  ],
  incomplete: [(session) => until(session, {}), 'usage', '2026-02-28'],
  canceled: [
    async (session) => {
      const plan = await until(session);
      await cancelSubscription(fresh(session), {
        id: plan.id,
        cancellation: { timing: 'immediately' },
      });
      return plan;
    },
    'usage',
    '2026-02-28',
  ],
};

describe('every door says the same of what a status grants:', () => {
  test.for(Object.entries(statuses))('%s', async ([, [setUp, has, boundary]], { session }) => {
    const plan = await setUp(session);
    expect(await plan.granted()).toBe(has.includes('access'));
    expect(await plan.recordsUsage()).toBe(has.includes('usage'));
    const day = new Date(at(boundary).getTime() + 3_600_000).toISOString();
    await plan.to(day);
    expect({
      newCredits: await plan.credits(boundary),
      newInvoices: (await plan.invoicesFrom(boundary)).length,
    }).toEqual({
      newCredits: has.includes('credits') ? [100] : [],
      newInvoices: has.includes('invoice') ? 1 : 0,
    });
    await expectMoneyToAgree(fresh(session));
    await expectLedgersToAgree(fresh(session));
  });
});

describe('an unpaid subscription without access', () => {
  test.for([
    ['a new payment method', async (_: Session, plan: Plan) => plan.pays()],
    [
      'a payment by hand',
      async (session: Session, plan: Plan) => {
        const other = await aPaymentMethod(fresh(session), plan.customerId, { default: false });
        const [owed] = await plan.openInvoices();
        await payInvoice(fresh(session), { id: owed?.id ?? '', paymentMethodId: other.id });
        await plan.pays();
      },
    ],
    [
      'a void invoice and a new payment method',
      async (session: Session, plan: Plan) => {
        const [owed] = await plan.openInvoices();
        await voidInvoice(fresh(session), { id: owed?.id ?? '' });
        await plan.pays();
      },
    ],
  ] as const)(
    'has it back with %s, with the credits of the running period once, which is charged',
    async ([, pay], { session }) => {
      const plan = await unpaid(session, 'none');
      await plan.to('2026-05-10');
      expect(await plan.granted()).toBe(false);
      await pay(session, plan);
      await plan.to('2026-05-11');
      expect(await subscriptionOf(session, plan.id)).toMatchObject({
        status: 'active',
        current: true,
        unpaidAccess: null,
        unpaidAt: null,
      });
      expect(await plan.granted()).toBe(true);
      expect(await plan.credits('2026-03-01')).toEqual([100]);
      expect(await plan.invoicesFrom('2026-04-30')).toMatchObject([{ status: 'paid' }]);
      const told = (await eventsOf(session, plan.id)).filter(
        ({ previousAttributes }) => 'unpaidAccess' in (previousAttributes ?? {}),
      );
      expect(told).toMatchObject([
        { type: 'subscription.updated', data: { status: 'unpaid', unpaidAccess: 'none' } },
        { type: 'subscription.updated', data: { status: 'active', unpaidAccess: null } },
      ]);
      await plan.to('2026-06-01');
      expect(await plan.credits('2026-03-01')).toEqual([100, 100]);
      await expectMoneyToAgree(fresh(session));
      await expectLedgersToAgree(fresh(session));
    },
  );

  test.for([
    ['a pause', pause, resumeSubscription],
    [
      'a cancellation',
      (session: Session, { id }: Plan) =>
        cancelSubscription(fresh(session), { id, cancellation: later }),
      uncancelSubscription,
    ],
  ] as const)('gets no access by %s that is reverted', async ([, act, revert], { session }) => {
    const plan = await unpaid(session, 'none');
    await act(session, plan);
    await revert(fresh(session), { id: plan.id });
    expect(await plan.status()).toBe('unpaid');
    expect(await plan.granted()).toBe(false);
    await plan.pays();
    expect(await plan.status()).toBe('active');
    expect(await plan.granted()).toBe(true);
  });

  test('follows a change of the organization’s setting with its next period', async ({
    session,
  }) => {
    const plan = await unpaid(session, 'keep');
    await updateOrganization(fresh(session), { organization: { unpaidAccess: 'none' } });
    expect(await plan.granted()).toBe(true);
    await plan.to('2026-04-01');
    expect(await plan.granted()).toBe(false);
  });
});

test('a change of items while credits wait grants none, and the payment grants those of the items then', async ({
  session,
}) => {
  const plan = await unpaid(session);
  await plan.to('2026-04-02');
  const { priceId } = await subscriptionOf(session, plan.id);
  await adjustSubscription(fresh(session), {
    id: plan.id,
    adjustment: {
      timing: 'immediately',
      prorateCurrentBillingPeriod: false,
      newSubscriptionItems: [{ priceId, quantity: 2 }],
    },
  });
  expect(await plan.credits('2026-03-01')).toEqual([]);
  await plan.pays();
  expect(await plan.credits('2026-03-01')).toEqual([200]);
  await expectLedgersToAgree(fresh(session));
});
