// @module-tag long
import { hash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createPrice } from '#domain/catalog/commands/prices/create-price.ts';
import { createUsageMeter } from '#domain/catalog/commands/usage-meters/create-usage-meter.ts';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { aPaymentMethod, aSubscription, fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { test as base } from '../../../support/test.ts';
import { aClockedCustomer } from '../../../support/time.ts';
import { advance, at, subscriptionOf, subscriptionsOf } from '../../../support/timeline.ts';
import {
  aMeteredSubscription,
  availableOf,
  balanceOf,
  billsOf,
  owedOf,
  use,
  voidEvent,
} from '../../../support/usage.ts';

/** The ledgers and the money records agree at the end of each test. */
const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(async () => {
    await expectLedgersToAgree(session);
    await expectMoneyToAgree(session);
  });
});

/** On a plan that costs nothing, with a meter of which ten cost something. */
async function aFreeUser(
  session: Session,
  { unitPrice, paid }: { unitPrice: number; paid: boolean },
) {
  const plan = await fresh(session).em.findOneOrFail(Product, { default: true });
  const [price] = await plan.prices.loadItems();
  // No customer is on the plan from the beginning, so that it can be taken with a payment method.
  await fresh(session).em.nativeUpdate(Product, plan.id, { active: false });
  const { clock, customer } = await aClockedCustomer(session);
  await fresh(session).em.nativeUpdate(Product, plan.id, { active: true });
  const payer = paid && (await aPaymentMethod(session, customer.id));
  const { id } = await aSubscription(session, {
    customerId: customer.id,
    priceId: price?.id ?? '',
    ...(payer && { defaultPaymentMethodId: payer.id }),
  });
  const slug = `calls-${clock.id}`;
  const { id: meterId } = await createUsageMeter(fresh(session), {
    usageMeter: { name: 'API calls', slug },
    price: { unitPrice, usageEventsPerUnit: 10 },
  });
  return { id, slug, clockId: clock.id, meterId };
}

describe('usage of a subscription that ends', () => {
  test('is billed and charged at once when it is canceled immediately', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    await use(session, user, 100);
    await advance(session, user.clockId, '2026-02-10');
    await cancelSubscription(fresh(session), {
      id: user.id,
      cancellation: { timing: 'immediately' },
    });
    await advance(session, user.clockId, '2026-02-11');
    expect(await billsOf(session, user)).toEqual(['100 cost 20, paid']);
    expect(await availableOf(session, user)).toBe(0);
    await advance(session, user.clockId, '2026-04-01');
    expect(await billsOf(session, user)).toEqual(['100 cost 20, paid']);
  });

  test('is billed when a scheduled cancellation takes effect', async ({ session }) => {
    const user = await aMeteredSubscription(session, { credits: 10 });
    await cancelSubscription(fresh(session), {
      id: user.id,
      cancellation: { timing: 'at_end_of_current_billing_period' },
    });
    await use(session, user, 110);
    await advance(session, user.clockId, '2026-03-01');
    expect((await subscriptionOf(session, user.id)).status).toBe('canceled');
    expect(await billsOf(session, user)).toEqual(['100 cost 20, paid']);
  });

  test('makes no invoice when credits cover it', async ({ session }) => {
    const user = await aMeteredSubscription(session, { credits: 10 });
    await use(session, user, 10);
    await cancelSubscription(fresh(session), {
      id: user.id,
      cancellation: { timing: 'immediately' },
    });
    await advance(session, user.clockId, '2026-04-01');
    expect(await fresh(session).em.count(Invoice, { subscription: user.id })).toBe(1);
  });
});

describe('usage that is reported when its subscription has ended', () => {
  const cancel = (session: Session, id: string) =>
    cancelSubscription(fresh(session), { id, cancellation: { timing: 'immediately' } });

  const explained = async (session: Session, subscription: string) => {
    const invoices = await fresh(session).em.find(Invoice, { subscription, type: 'subscription' });
    const all = invoices.map(({ id }) => explainInvoice(fresh(session), id));
    return (await Promise.all(all)).map(({ lines, verified }) => ({
      usage: lines.flatMap(({ usage }) => usage),
      verified,
    }));
  };

  test('counts in the balance, for no period, and is owed by nobody', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    await use(session, user, 100);
    await advance(session, user.clockId, '2026-02-10');
    await cancel(session, user.id);
    await advance(session, user.clockId, '2026-02-11');
    const before = await explained(session, user.id);
    const { used } = (await balanceOf(session, user)) ?? {};
    const late = { amount: '7', usageDate: at('2026-02-05') };
    const [event, other] = await use(session, user, 30, late);
    expect([event?.billingPeriodId, other?.billingPeriodId]).toEqual([null, null]);
    expect(await balanceOf(session, user)).toMatchObject({ available: '-37', used });
    await advance(session, user.clockId, '2026-05-01');
    expect(await owedOf(session, user)).toEqual(['100 billed']);
    expect(await billsOf(session, user)).toEqual(['100 cost 20, paid']);
    expect(await explained(session, user.id)).toEqual(before);
    await voidEvent(session, event?.id ?? '');
    expect(await availableOf(session, user)).toBe(-7);
    expect((await balanceOf(session, user))?.used).toBe(used);
  });

  test('is not that which was used before the first period', async ({ session }) => {
    const user = await aMeteredSubscription(session, { paid: false, aggregationType: 'max' });
    const [first] = await use(session, user, 100);
    await aPaymentMethod(session, user.customerId, { default: true });
    await advance(session, user.clockId, '2026-03-01');
    await cancel(session, user.id);
    const [event] = await use(session, user, 30, 20);
    expect([first?.billingPeriodId, event?.billingPeriodId]).toEqual([null, null]);
    expect(await availableOf(session, user)).toBe(-30);
    await voidEvent(session, event?.id ?? '');
    expect(await availableOf(session, user)).toBe(-20);
    // Its cost goes to the credit balance, and not to the balance of usage.
    await voidEvent(session, first?.id ?? '');
    expect(await availableOf(session, user)).toBe(-20);
  });

  test('is for nothing that was not billed either', async ({ session }) => {
    const user = await aMeteredSubscription(session, { doNotCharge: true });
    await use(session, user, 5);
    await advance(session, user.clockId, '2026-03-01');
    await cancel(session, user.id);
    const [event] = await use(session, user, { amount: '1', usageDate: at('2026-02-05') });
    expect(event?.billingPeriodId).toBeNull();
    expect(await owedOf(session, user)).toEqual(['5']);
  });

  test('has no billing period within which properties are distinct', async ({ session }) => {
    const user = await aMeteredSubscription(session, {
      aggregationType: 'count_distinct_properties',
    });
    await cancel(session, user.id);
    const event = { amount: '1', properties: { user: 1 } };
    await expect(use(session, user, event)).rejects.toMatchObject({
      issues: [{ path: ['usageEvents', 0, 'subscriptionId'] }],
    });
  });
});

describe('usage of who is not charged', () => {
  test('is kept and never billed: doNotCharge', async ({ session }) => {
    const user = await aMeteredSubscription(session, { doNotCharge: true });
    await use(session, user, 1_000);
    await advance(session, user.clockId, '2026-04-01');
    expect(await billsOf(session, user)).toEqual([]);
    expect(await owedOf(session, user)).toEqual(['1000']);
    expect(await availableOf(session, user)).toBe(-1_000);
  });

  test('at the price that costs nothing is shown next to what costs something, and makes no invoice alone', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { unitPrice: 0, usageEventsPerUnit: 1 });
    await use(session, user, 1_000);
    await advance(session, user.clockId, '2026-03-01');
    expect(await billsOf(session, user)).toEqual(['1000 cost 0, paid']);
    const free = await aFreeUser(session, { unitPrice: 0, paid: true });
    await use(session, free, 1_000);
    await advance(session, free.clockId, '2026-03-01');
    expect(await fresh(session).em.count(Invoice, { subscription: free.id })).toBe(0);
  });
});

describe('pay as you go: a plan that costs nothing, with usage that does', () => {
  test('is billed at each boundary when there is who pays', async ({ session }) => {
    const user = await aFreeUser(session, { unitPrice: 2, paid: true });
    await use(session, user, 100);
    await advance(session, user.clockId, '2026-03-01');
    expect(await billsOf(session, user)).toEqual(['100 cost 20, paid']);
    await use(session, user, 50);
    await advance(session, user.clockId, '2026-05-01');
    expect(await billsOf(session, user)).toEqual(['100 cost 20, paid', '50 cost 10, paid']);
  });

  test('what was billed too much makes no invoice by itself, and is credited with the next usage, at whatever price', async ({
    session,
  }) => {
    const user = await aFreeUser(session, { unitPrice: 2, paid: true });
    const [event] = await use(session, user, 100);
    await advance(session, user.clockId, '2026-03-01');
    await voidEvent(session, event?.id ?? '');
    await createPrice(fresh(session), {
      price: {
        type: 'usage',
        usageMeterId: user.meterId,
        unitPrice: 1,
        usageEventsPerUnit: 10,
        intervalUnit: 'month',
        isDefault: true,
      },
    });
    await advance(session, user.clockId, '2026-05-01');
    expect(await billsOf(session, user)).toEqual(['100 cost 20, paid']);
    expect(await availableOf(session, user)).toBe(100);
    await use(session, user, 120);
    await advance(session, user.clockId, '2026-06-01');
    expect(await billsOf(session, user)).toEqual([
      '100 cost 20, paid',
      '-60 cost -12, paid',
      '120 cost 12, paid',
    ]);
    await use(session, user, 100);
    await advance(session, user.clockId, '2026-07-01');
    const { em } = fresh(session);
    const orderBy = { invoiceNumber: 'asc' } as const;
    const invoices = await em.find(Invoice, { subscription: user.id }, { orderBy });
    expect(invoices.map(({ total }) => total)).toEqual([20, 0, 2]);
    expect(await availableOf(session, user)).toBe(0);
  });

  test('is billed on the plan that everybody begins with, by what pays for the customer', async ({
    session,
  }) => {
    const { clock, customer } = await aClockedCustomer(session);
    const [plan] = await subscriptionsOf(session, customer.id);
    await aPaymentMethod(session, customer.id, { default: true });
    const { slug } = await createUsageMeter(fresh(session), {
      usageMeter: { name: 'API calls', slug: 'calls' },
      price: { unitPrice: 2, usageEventsPerUnit: 10 },
    });
    const user = { id: plan?.id ?? '', slug };
    await use(session, user, 100);
    await advance(session, clock.id, '2026-03-01');
    expect(await billsOf(session, user)).toEqual(['100 cost 20, paid']);
  });

  test('is owed until there is who pays', async ({ session }) => {
    const user = await aFreeUser(session, { unitPrice: 2, paid: false });
    await use(session, user, 100);
    await advance(session, user.clockId, '2026-03-01');
    expect(await billsOf(session, user)).toEqual([]);
    expect(await owedOf(session, user)).toEqual(['100']);
    expect(await availableOf(session, user)).toBe(-100);
  });
});

describe('usage of who cannot pay', () => {
  test('is on the invoice that is tried again, once, and continues being counted', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    await use(session, user, 100);
    await aPaymentMethod(session, user.customerId, {
      token: 'sandbox_decline_insufficient_funds',
      default: true,
    });
    await advance(session, user.clockId, '2026-03-05');
    await use(session, user, 30);
    await advance(session, user.clockId, '2026-05-01');
    expect(await billsOf(session, user)).toEqual(['100 cost 20, open']);
    expect(await owedOf(session, user)).toEqual(['100 billed', '30']);
    await aPaymentMethod(session, user.customerId, { default: true });
    await advance(session, user.clockId, '2026-06-01');
    expect(await billsOf(session, user)).toEqual(['100 cost 20, paid', '30 cost 6, paid']);
  });
});

describe('what an invoice states of usage', () => {
  test('can be broken down to its events', async ({ session, graphql }) => {
    const user = await aMeteredSubscription(session, { credits: 10 });
    const events = await use(session, user, 5, '7.5', 100);
    const [gone] = await use(session, user, 50);
    await voidEvent(session, gone?.id ?? '');
    await advance(session, user.clockId, '2026-03-01');
    const [invoice] = await fresh(session).em.find(Invoice, {
      subscription: user.id,
      total: 1_021,
    });
    const { data } = await graphql(
      `query($id: ID!) { explainInvoice(id: $id) { verified differences lines {
        usage { used covered billed isCorrection events { count sum firstId lastId sha256 } } } } }`,
      { id: invoice?.id },
    );
    const { verified, differences, lines } = data.explainInvoice;
    expect({ verified, differences }).toEqual({ verified: true, differences: [] });
    const [explained] = lines.flatMap(({ usage }: { usage: object[] }) => usage);
    expect(explained).toMatchObject({
      used: 112.5,
      covered: 10,
      billed: 102.5,
      isCorrection: false,
      events: { count: 3, sum: 112.5 },
    });
    const records = events
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, amount }) => `${id} ${amount}\n`);
    expect(explained.events.sha256).toBe(hash('sha256', records.join('')));
  });
});

test('prices that change later leave what has been used at the price of its time', async ({
  session,
}) => {
  const user = await aMeteredSubscription(session);
  await use(session, user, 100);
  await createPrice(fresh(session), {
    price: {
      type: 'usage',
      usageMeterId: user.meterId,
      unitPrice: 50,
      usageEventsPerUnit: 1,
      intervalUnit: 'month',
      isDefault: true,
    },
  });
  await use(session, user, 2);
  await advance(session, user.clockId, '2026-03-01');
  expect(await billsOf(session, user)).toEqual(['100 cost 20, paid', '2 cost 100, paid']);
});
