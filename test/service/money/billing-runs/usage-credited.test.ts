// @module-tag long
import { describe, expect } from 'vitest';
import { createPrice } from '#domain/catalog/commands/prices/create-price.ts';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import {
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { replaceUsageEvent } from '#domain/recording/commands/usage-events/replace-usage-event.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { aPaymentMethod, aPriceOf, fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { test as base } from '../../../support/test.ts';
import { advance } from '../../../support/timeline.ts';
import {
  aMeteredSubscription,
  availableOf,
  billsOf,
  owedOf,
  use,
  voidEvent,
} from '../../../support/usage.ts';

type User = Awaited<ReturnType<typeof aMeteredSubscription>>;

const invoicesOf = (session: Session, { id }: Pick<User, 'id'>) =>
  fresh(session).em.find(Invoice, { subscription: id }, { orderBy: { invoiceNumber: 'asc' } });

const totalsOf = async (session: Session, user: User) =>
  (await invoicesOf(session, user)).map(({ total }) => total);

const creditOf = async (session: Session, { customerId }: User) =>
  (await fresh(session).em.findOneOrFail(Customer, customerId)).creditBalance;

const cancelNow = (session: Session, { id }: User) =>
  cancelSubscription(fresh(session), { id, cancellation: { timing: 'immediately' } });

const dearer = (session: Session, { meterId }: User) =>
  createPrice(fresh(session), {
    price: {
      type: 'usage',
      usageMeterId: meterId,
      unitPrice: 50,
      usageEventsPerUnit: 10,
      intervalUnit: 'month',
      isDefault: true,
    },
  });

const declines = (session: Session, { customerId }: User) =>
  aPaymentMethod(session, customerId, {
    token: 'sandbox_decline_insufficient_funds',
    default: true,
  });

const taxed = (session: Session) =>
  updateOrganization(fresh(session), {
    organization: { taxType: 'vat', taxRatePercentage: '20' },
  });

/** Ledgers, money records and explanations agree at the end of each test. */
const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(async () => {
    await expectLedgersToAgree(session);
    await expectMoneyToAgree(session);
    for (const { id } of await fresh(session).em.find(Invoice, {})) {
      const { verified, differences } = await explainInvoice(fresh(session), id);
      expect({ id, verified, differences }).toEqual({ id, verified: true, differences: [] });
    }
  });
});

describe('what is voided after it was billed', () => {
  test('is credited on the very next invoice, also without new usage, as a line below 0', async ({
    session,
    api,
  }) => {
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 100);
    await advance(session, user.clockId, '2026-03-01');
    await voidEvent(session, event?.id ?? '');
    await advance(session, user.clockId, '2026-06-01');
    expect(await totalsOf(session, user)).toEqual([1_000, 1_020, 980, 1_000, 1_000]);
    expect(await availableOf(session, user)).toBe(0);
    const { status, body } = await api('GET', '/invoice-line-items?limit=100');
    expect(status).toBe(200);
    const line = body.data.find(({ quantity }: { quantity: number }) => quantity < 0);
    expect(line).toMatchObject({ type: 'usage', quantity: -10, price: 2 });
    expect(line.description).toBe('Usage: API calls at $0.02 per 10, credited');
  });

  test('is credited when its price is no longer used', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 100);
    await advance(session, user.clockId, '2026-03-01');
    await dearer(session, user);
    await voidEvent(session, event?.id ?? '');
    await use(session, user, 500);
    await advance(session, user.clockId, '2026-04-01');
    expect(await totalsOf(session, user)).toEqual([1_000, 1_020, 1_000 - 20 + 2_500]);
    expect(await availableOf(session, user)).toBe(0);
  });

  test('lowers the tax with the subtotal', async ({ session }) => {
    await taxed(session);
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 100);
    await advance(session, user.clockId, '2026-03-01');
    await voidEvent(session, event?.id ?? '');
    await advance(session, user.clockId, '2026-04-01');
    expect(await totalsOf(session, user)).toEqual([1_200, 1_224, 1_176]);
  });

  test('and is worth more than an invoice moves to the following ones, to the cent', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { unitPrice: 7, usageEventsPerUnit: 3 });
    const [event] = await use(session, user, 1_000);
    await use(session, user, '0.1');
    await advance(session, user.clockId, '2026-03-01');
    await voidEvent(session, event?.id ?? '');
    await advance(session, user.clockId, '2026-07-01');
    // 1000.1 cost 2,333.57, and what is left of it 0.23: nothing is kept of the 2,334.
    expect(await totalsOf(session, user)).toEqual([1_000, 3_334, 0, 0, 666, 1_000]);
    expect(await availableOf(session, user)).toBe(0);
  });

  test('is not credited where its invoice is void, also where it cost nothing', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { unitPrice: 8, usageEventsPerUnit: 748 });
    await use(session, user, 1_000);
    const [few] = await use(session, user, 10);
    await declines(session, user);
    await advance(session, user.clockId, '2026-03-01');
    const [, open] = await invoicesOf(session, user);
    await voidInvoice(fresh(session), { id: open?.id ?? '' });
    await voidEvent(session, few?.id ?? '');
    await advance(session, user.clockId, '2026-04-01');
    await expectLedgersToAgree(session);
    expect(await availableOf(session, user)).toBe(0);
  });

  test('is not lost with an invoice that is void', async ({ session }) => {
    await taxed(session);
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 100);
    await advance(session, user.clockId, '2026-03-01');
    await voidEvent(session, event?.id ?? '');
    const token = 'sandbox_decline_insufficient_funds';
    await aPaymentMethod(session, user.customerId, { token, default: true });
    await advance(session, user.clockId, '2026-04-01');
    const reduced = (await invoicesOf(session, user)).at(-1) as Invoice;
    expect(reduced).toMatchObject({ status: 'open', total: 1_176 });
    await markInvoiceUncollectible(fresh(session), { id: reduced.id });
    await voidInvoice(fresh(session), { id: reduced.id });
    expect(await creditOf(session, user)).toBe(24);
  });

  test('is not credited where it stood on an invoice that is void', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 100);
    await declines(session, user);
    await advance(session, user.clockId, '2026-03-01');
    const last = (await invoicesOf(session, user)).at(-1);
    await voidInvoice(fresh(session), { id: last?.id ?? '' });
    await aPaymentMethod(session, user.customerId, { default: true });
    await voidEvent(session, event?.id ?? '');
    await advance(session, user.clockId, '2026-04-01');
    // An invoice of 0 states so, and makes no other one less.
    expect((await totalsOf(session, user)).toSorted((a, b) => a - b)).toEqual([
      0, 1_000, 1_000, 1_020,
    ]);
    expect(await availableOf(session, user)).toBe(0);
  });

  test('counts as paid when the plan gets dearer in the period that it has paid for', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 10_000);
    await advance(session, user.clockId, '2026-03-01');
    await voidEvent(session, event?.id ?? '');
    await advance(session, user.clockId, '2026-03-31');
    expect(await totalsOf(session, user)).toEqual([1_000, 3_000, 0]);
    const priceId = await aPriceOf(fresh(session), { unitPrice: 2_000, intervalUnit: 'month' });
    await adjustSubscription(fresh(session), {
      id: user.id,
      adjustment: { timing: 'immediately', newSubscriptionItems: [{ priceId }] },
    });
    const [, , , upgrade] = await totalsOf(session, user);
    expect(upgrade).toBeGreaterThan(900);
    expect(upgrade).toBeLessThanOrEqual(1_000);
  });
});

describe('what a subscription that has ended was billed too much', () => {
  async function anEnded(session: Session, ...uses: number[]) {
    const user = await aMeteredSubscription(session);
    const events = await use(session, user, ...uses);
    await advance(session, user.clockId, '2026-02-10');
    await cancelNow(session, user);
    await advance(session, user.clockId, '2026-02-11');
    return { user, events };
  }

  test('goes to the credit balance, with the tax that it was billed with, once', async ({
    session,
  }) => {
    await taxed(session);
    const { user, events } = await anEnded(session, 100, 50);
    expect(await totalsOf(session, user)).toEqual([1_200, 36]);
    await updateOrganization(fresh(session), { organization: { taxType: 'none' } });
    await voidEvent(session, events[0]?.id ?? '');
    expect(await creditOf(session, user)).toBe(24);
    expect(await availableOf(session, user)).toBe(0);
    await advance(session, user.clockId, '2026-05-01');
    await voidEvent(session, events[1]?.id ?? '');
    expect(await creditOf(session, user)).toBe(36);
    expect(await availableOf(session, user)).toBe(0);
    expect(await totalsOf(session, user)).toEqual([1_200, 36, 0, 0]);
    expect((await invoicesOf(session, user)).map(({ status }) => status)).toEqual(
      Array(4).fill('paid'),
    );
  });

  test('is only the difference when it is replaced', async ({ session }) => {
    const { user, events } = await anEnded(session, 100);
    await replaceUsageEvent(fresh(session), {
      id: events[0]?.id ?? '',
      usageEvent: { amount: '40', transactionId: 'less' },
      reason: 'A mistake',
    });
    expect(await creditOf(session, user)).toBe(12);
    expect(await availableOf(session, user)).toBe(0);
  });

  test('is billed when it is replaced by more', async ({ session }) => {
    const { user, events } = await anEnded(session, 100);
    await replaceUsageEvent(fresh(session), {
      id: events[0]?.id ?? '',
      usageEvent: { amount: '140', transactionId: 'more' },
      reason: 'A mistake',
    });
    await advance(session, user.clockId, '2026-05-11');
    expect((await totalsOf(session, user)).at(-1)).toBe(8);
    expect(await availableOf(session, user)).toBe(0);
    expect(await creditOf(session, user)).toBe(0);
  });

  test('is the difference also where distinct properties are counted', async ({ session }) => {
    const user = await aMeteredSubscription(session, {
      aggregationType: 'count_distinct_properties',
    });
    const [event] = await use(session, user, { amount: '100', properties: { a: 1 } });
    await advance(session, user.clockId, '2026-02-10');
    await cancelNow(session, user);
    await advance(session, user.clockId, '2026-02-11');
    await replaceUsageEvent(fresh(session), {
      id: event?.id ?? '',
      usageEvent: { amount: '40', transactionId: 'less' },
      reason: 'A mistake',
    });
    expect(await creditOf(session, user)).toBe(12);
  });

  test('pays for nothing else where it stood on an invoice that is void', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 100);
    await declines(session, user);
    await advance(session, user.clockId, '2026-03-01');
    const last = (await invoicesOf(session, user)).at(-1);
    await voidInvoice(fresh(session), { id: last?.id ?? '' });
    await dearer(session, user);
    await use(session, user, 4);
    await voidEvent(session, event?.id ?? '');
    await cancelNow(session, user);
    expect((await totalsOf(session, user)).at(-1)).toBe(20);
  });

  test('goes there with the tax of each line', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const [untaxed] = await use(session, user, 100);
    await advance(session, user.clockId, '2026-03-01');
    await taxed(session);
    await dearer(session, user);
    const [withTax] = await use(session, user, 400);
    await advance(session, user.clockId, '2026-04-01');
    for (const event of [withTax, untaxed]) await voidEvent(session, event?.id ?? '');
    await cancelNow(session, user);
    expect(await creditOf(session, user)).toBe(20 + 2_400);
  });

  test('and what was carried until then goes there when it ends', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 10_000);
    await advance(session, user.clockId, '2026-03-01');
    await voidEvent(session, event?.id ?? '');
    await advance(session, user.clockId, '2026-04-01');
    await use(session, user, 100);
    await cancelNow(session, user);
    // 2,000 were billed too much, of which the plan has used up 1,000 and the last usage 20.
    expect(await totalsOf(session, user)).toEqual([1_000, 3_000, 0, 0]);
    expect(await creditOf(session, user)).toBe(980);
    expect(await availableOf(session, user)).toBe(0);
  });

  test('goes there also for what was used before the first period', async ({ session }) => {
    const user = await aMeteredSubscription(session, { paid: false });
    const [event] = await use(session, user, 100, 10);
    await aPaymentMethod(session, user.customerId, { default: true });
    await advance(session, user.clockId, '2026-03-01');
    expect(await billsOf(session, user)).toEqual(['110 cost 22, paid']);
    await cancelNow(session, user);
    await voidEvent(session, event?.id ?? '');
    expect(await creditOf(session, user)).toBe(20);
    expect(await availableOf(session, user)).toBe(0);
  });

  test('brings nothing where it stood on an invoice that was given up', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 100);
    const token = 'sandbox_decline_insufficient_funds';
    await aPaymentMethod(session, user.customerId, { token, default: true });
    await cancelNow(session, user);
    await advance(session, user.clockId, '2026-02-11');
    const last = (await invoicesOf(session, user)).at(-1) as Invoice;
    await markInvoiceUncollectible(fresh(session), { id: last.id });
    await voidEvent(session, event?.id ?? '');
    expect(await creditOf(session, user)).toBe(0);
    expect(await availableOf(session, user)).toBe(0);
  });

  test('is nothing where nothing is charged', async ({ session }) => {
    const user = await aMeteredSubscription(session, { doNotCharge: true });
    const [event] = await use(session, user, 100, 20);
    await advance(session, user.clockId, '2026-03-01');
    await cancelNow(session, user);
    await voidEvent(session, event?.id ?? '');
    expect(await creditOf(session, user)).toBe(0);
    expect(await billsOf(session, user)).toEqual([]);
    expect((await owedOf(session, user)).map(Number)).toEqual([120, -100]);
  });
});

test('many voids of less than half a minor unit each credit exactly what was billed', async ({
  session,
}) => {
  const user = await aMeteredSubscription(session, { unitPrice: 4, usageEventsPerUnit: 10 });
  // 0.4 each: 8 of them cost 3.
  const events = await use(session, user, ...Array(8).fill(1));
  await advance(session, user.clockId, '2026-02-10');
  await cancelNow(session, user);
  await advance(session, user.clockId, '2026-02-11');
  expect(await totalsOf(session, user)).toEqual([1_000, 3]);
  const credits: number[] = [];
  for (const { id } of events) {
    await voidEvent(session, id);
    credits.push(await creditOf(session, user));
  }
  expect(credits).toEqual([0, 1, 1, 1, 2, 2, 3, 3]);
});
