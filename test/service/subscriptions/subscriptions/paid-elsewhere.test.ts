import { describe, expect } from 'vitest';
import { createPrice } from '#domain/catalog/commands/prices/create-price.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import {
  aCustomer,
  aPaymentMethod,
  aPriceOf,
  aProduct,
  aTestClock,
  fresh,
} from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { test as base } from '../../../support/test.ts';
import {
  advance,
  aTimedSubscription,
  at,
  periodsOf,
  storyOf,
  subscriptionOf,
} from '../../../support/timeline.ts';
import { aMeteredSubscription, availableOf, use } from '../../../support/usage.ts';

/** Ledgers, money records and books agree at the end of each test. */
const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(async () => {
    await expectLedgersToAgree(session);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });
});

const imported = (session: Session, input: Parameters<typeof aTimedSubscription>[1]) =>
  aTimedSubscription(session, { from: '2026-01-20', startDate: at('2025-10-31'), ...input });

const billsOf = async (session: Session, { customerId }: { customerId: string }) =>
  (
    await fresh(session).em.find(
      Invoice,
      { customer: customerId },
      { orderBy: { invoiceNumber: 'asc' } },
    )
  ).map(({ total, status }) => `${total} ${status}`);

describe('billing periods that are paid elsewhere', () => {
  test('exist, state so and are not charged; the present one is', async ({ session }) => {
    const user = await imported(session, { paid: true, paidUntil: at('2025-12-31') });
    await advance(session, user.clockId, '2026-01-21');
    expect(await storyOf(session, user.id)).toEqual([
      '2025-10-31 2025-11-30 completed',
      '2025-11-30 2025-12-31 completed',
      '2025-12-31 2026-01-31 active',
    ]);
    const periods = await periodsOf(session, user.id);
    expect(periods.map(({ paidElsewhere }) => paidElsewhere)).toEqual([true, true, false]);
    expect(await billsOf(session, user)).toEqual(['1000 paid']);
    await advance(session, user.clockId, '2026-02-28');
    expect(await billsOf(session, user)).toEqual(['1000 paid', '1000 paid', '1000 paid']);
  });

  test('include the present one, which needs no payment method before its end', async ({
    session,
  }) => {
    const user = await imported(session, { paidUntil: at('2026-01-31') });
    expect(await subscriptionOf(session, user.id)).toMatchObject({ status: 'active' });
    await advance(session, user.clockId, '2026-01-30');
    expect(await subscriptionOf(session, user.id)).toMatchObject({
      status: 'active',
      currentBillingPeriodEnd: at('2026-01-31'),
    });
    await advance(session, user.clockId, '2026-01-31');
    expect(await subscriptionOf(session, user.id)).toMatchObject({ status: 'past_due' });
    expect(await billsOf(session, user)).toEqual([]);
    await aPaymentMethod(session, user.customerId, { default: true });
    await advance(session, user.clockId, '2026-02-01');
    expect(await subscriptionOf(session, user.id)).toMatchObject({ status: 'active' });
    expect(await billsOf(session, user)).toEqual(['1000 paid']);
  });

  test('count as paid when the first charge after them fails, which is retried', async ({
    session,
  }) => {
    const user = await imported(session, { paid: true, paidUntil: at('2026-01-31') });
    await aPaymentMethod(session, user.customerId, {
      token: 'sandbox_decline_insufficient_funds',
      default: true,
    });
    await advance(session, user.clockId, '2026-01-31');
    expect(await subscriptionOf(session, user.id)).toMatchObject({ status: 'past_due' });
    await aPaymentMethod(session, user.customerId, { default: true });
    await advance(session, user.clockId, '2026-02-20');
    expect(await billsOf(session, user)).toEqual(['1000 paid']);
  });

  test('are no revenue, and the subscription counts in MRR from its creation; a dry run shows both and leaves nothing', async ({
    session,
    graphql,
  }) => {
    const clock = await aTestClock(session, at('2026-01-20'));
    const { id } = await aCustomer(session, { testClockId: clock.id });
    await aPaymentMethod(session, id, { default: true });
    await aProduct(session, { price: { slug: 'imported' } });
    const imports = `mutation ($id: ID!, $price: String!, $from: Timestamp!, $until: Timestamp!) {
      createSubscription(customerId: $id, priceSlug: $price, startDate: $from, paidUntil: $until) { subscription { status } } }`;
    const totals = async () => {
      const query =
        '{ organizationRevenue(from: 0, to: 1, interval: day) { totals { mrr paid activeSubscriptions } } }';
      const { data } = await graphql(query);
      return data.organizationRevenue.totals[0];
    };
    const none = { mrr: 0, paid: 0, activeSubscriptions: 0 };
    const days = { from: at('2025-10-31').getTime(), until: at('2026-01-31').getTime() };
    const wanted = { id, price: 'imported', ...days };
    const dry = await graphql(imports, wanted, { headers: { prefer: 'dry-run' } });
    expect(dry.errors).toBeUndefined();
    expect(dry.data.createSubscription.subscription).toMatchObject({ status: 'active' });
    expect(await totals()).toEqual(none);
    const { errors } = await graphql(imports, wanted);
    expect(errors).toBeUndefined();
    expect(await totals()).toEqual({ mrr: 1_000, paid: 0, activeSubscriptions: 1 });
    await advance(session, clock.id, '2026-02-01');
    expect(await totals()).toEqual({ mrr: 1_000, paid: 1_000, activeSubscriptions: 1 });
  });

  test('reduce the price of an upgrade, and are never credited', async ({ session }) => {
    const user = await imported(session, {
      paid: true,
      startDate: at('2026-01-20'),
      paidUntil: at('2026-02-20'),
    });
    const priceId = await aPriceOf(session, { unitPrice: 3_000 });
    await adjustSubscription(fresh(session), {
      id: user.id,
      adjustment: { timing: 'immediately', newSubscriptionItems: [{ priceId }] },
    });
    expect(await billsOf(session, user)).toEqual(['2000 paid']);
    await cancelSubscription(fresh(session), {
      id: user.id,
      cancellation: { timing: 'immediately' },
    });
    expect(await billsOf(session, user)).toEqual(['2000 paid']);
  });

  test('have usage that counts and is not billed, also when it is reported later', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, {
      from: '2026-01-20',
      startDate: at('2025-12-20'),
      paidUntil: at('2026-02-20'),
    });
    await use(session, user, 100);
    await advance(session, user.clockId, '2026-02-25');
    await use(session, user, { amount: '50', usageDate: at('2026-01-25') });
    await use(session, user, 30);
    await advance(session, user.clockId, '2026-03-21');
    await use(session, user, { amount: '50', usageDate: at('2026-01-25') });
    await advance(session, user.clockId, '2026-04-21');
    expect(await billsOf(session, user)).toEqual(['1000 paid', '1006 paid', '1000 paid']);
    expect(await availableOf(session, user)).toBe(-200);
  });

  test('grant their usage credits at once', async ({ session }) => {
    const user = await aMeteredSubscription(session, {
      from: '2026-01-20',
      credits: 500,
      startDate: at('2026-01-20'),
      paidUntil: at('2026-02-20'),
    });
    expect(await availableOf(session, user)).toBe(500);
  });

  test('are no trial, also of a price that has one', async ({ session, api }) => {
    const { id: productId } = await aProduct(session);
    const { id: priceId } = await createPrice(fresh(session), {
      price: {
        type: 'subscription',
        productId,
        unitPrice: 1_000,
        intervalUnit: 'month',
        trialPeriodDays: 14,
        isDefault: true,
      },
    });
    const user = await imported(session, { paid: true, paidUntil: at('2025-12-31'), priceId });
    const { body } = await api('GET', `/subscriptions/${user.id}`);
    expect(body.subscription).toMatchObject({ status: 'active', trialEnd: null });
  });
});

test('the end of periods that are paid elsewhere is a boundary, and each refusal states one', async ({
  session,
  api,
}) => {
  const { customerId } = await imported(session, { doNotCharge: true });
  const priceId = await aPriceOf(session, { unitPrice: 1_000 });
  const subscribe = async (input: Record<string, unknown>) => {
    const start = { startDate: at('2025-10-31').getTime(), ...input };
    const { status, body } = await api('POST', '/subscriptions', { customerId, priceId, ...start });
    return [status, ...(body.issues ?? [body]).map(({ message }: Error) => message)];
  };
  const issue = (path: string, message: RegExp) => [
    400,
    expect.stringMatching(new RegExp(`^${path}: .*${message.source}`)),
  ];
  const until = (date: string) => ({ paidUntil: at(date).getTime() });
  expect(await subscribe(until('2025-12-15'))).toEqual(
    issue('paidUntil', /the next one is 2025-12-31T10:00:00.000Z/),
  );
  expect(await subscribe(until('2026-02-28'))).toEqual(
    issue('paidUntil', /at most 2026-01-31T10:00:00.000Z/),
  );
  expect(await subscribe(until('2025-10-31'))).toEqual(issue('paidUntil', /after the start/));
  expect(await subscribe({ ...until('2025-12-31'), startDate: null })).toEqual(
    issue('startDate', /with paidUntil/),
  );
  expect(await subscribe({ ...until('2025-12-31'), doNotCharge: true })).toEqual(
    issue('paidUntil', /nothing is charged/),
  );
  expect(await subscribe({ ...until('2025-12-31'), trialEnd: at('2026-03-01').getTime() })).toEqual(
    issue('trialEnd', /before payments/),
  );
});
