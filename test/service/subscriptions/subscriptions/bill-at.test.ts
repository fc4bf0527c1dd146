// @module-tag long
import { describe, expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { createPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { billDueAmounts } from '#domain/subscriptions/commands/subscriptions/bill-due-amounts.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { updateSubscription } from '#domain/subscriptions/commands/subscriptions/update-subscription.ts';
import { aDiscount } from '../../../support/discounts.ts';
import { aCustomer, aPaymentMethod, aPriceOf, aSubscription } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { testAlone } from '../../../support/test.ts';
import { advance, fresh, subscriptionOf } from '../../../support/timeline.ts';
import { aMeteredSubscription, grant, use, voidEvent } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations');

/** A subscription at 10.00 a month, whose usage at 1 minor unit each is billed at 10.00, on a clock at January 1. */
const aBilled = (session: Session, more: object = {}) =>
  aMeteredSubscription(session, {
    unitPrice: 1,
    usageEventsPerUnit: 1,
    from: '2026-01-01',
    billAt: 1_000,
    ...more,
  });

/** The invoices of a subscription but the first, with their lines but those of the plan: `threshold: usage 1100`. */
async function billsOf(session: Session, id: string): Promise<string[]> {
  const { em } = fresh(session);
  const order = { orderBy: { invoiceNumber: 'asc' } } as const;
  const invoices = await em.find(Invoice, { subscription: id }, order);
  const lines = await em.find(
    InvoiceLineItem,
    { invoice: { subscription: id }, type: { $ne: 'static' } },
    { orderBy: { position: 'asc' } },
  );
  return invoices.slice(1).map(({ id, purpose, status }) => {
    const own = lines.filter(({ invoice }) => invoice.id === id);
    const texts = own.map(({ type, amount }) => `${type} ${amount}`);
    return `${purpose} ${status}: ${texts.join(', ')}`;
  });
}

async function expectAgreement(session: Session, id: string) {
  await expectMoneyToAgree(fresh(session));
  await expectLedgersToAgree(fresh(session));
  for (const invoice of await fresh(session).em.find(Invoice, { subscription: id })) {
    const { differences } = await explainInvoice(fresh(session), invoice.id);
    expect(differences).toEqual([]);
  }
}

describe('usage that reaches the amount at which it is billed', () => {
  test('is invoiced at once, again at the next such amount, and the period bills the rest', async ({
    session,
  }) => {
    const user = await aBilled(session);
    await use(session, user, 600);
    await advance(session, user.clockId, '2026-01-05');
    await use(session, user, 500);
    await advance(session, user.clockId, '2026-01-06');
    await use(session, user, 400, 1_000, 5);
    await advance(session, user.clockId, '2026-01-20');
    await use(session, user, 300);
    await advance(session, user.clockId, '2026-02-01');
    expect(await billsOf(session, user.id)).toEqual([
      'threshold paid: usage 1100',
      'threshold paid: usage 1405',
      'period paid: usage 300',
    ]);
    const [, first] = await fresh(session).em.find(
      Invoice,
      { subscription: user.id },
      { orderBy: { invoiceNumber: 'asc' } },
    );
    expect(first).toMatchObject({ invoiceDate: new Date('2026-01-05T10:00:00Z'), total: 1_100 });
    await expectAgreement(session, user.id);
  });

  test('is invoiced once for each crossing, however many callers record and bill at once', async ({
    session,
  }) => {
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId);
    const user = await aMeteredSubscription(session, { unitPrice: 1, usageEventsPerUnit: 1 });
    const { id } = await aSubscription(session, {
      customerId,
      priceId: await aPriceOf(session, {}),
      billAt: 1_000,
    });
    const own = { id, slug: user.slug };
    for (let round = 0; round < 2; round++) {
      await Promise.all(Array.from({ length: 12 }, () => use(session, own, 100)));
      const failures: unknown[] = [];
      const bill = () =>
        billDueAmounts(session.em.fork(), new Date(), 'bill-at-amounts', (failure) =>
          failures.push(failure),
        );
      await Promise.all([bill(), bill(), use(session, own, 1)]);
      expect(failures).toEqual([]);
    }
    const invoices = await fresh(session).em.find(Invoice, { subscription: id });
    const within = invoices.filter(({ purpose }) => purpose === 'threshold');
    expect(within).toHaveLength(2);
    const billed = within.reduce((sum, { total }) => sum + total, 0);
    expect(billed).toBeGreaterThanOrEqual(2_400);
    expect(billed).toBeLessThanOrEqual(2_402);
    await expectMoneyToAgree(fresh(session));
    await expectLedgersToAgree(fresh(session));
  });

  test('counts beyond credits; later credits cover later usage, and a correction credits the difference', async ({
    session,
  }) => {
    const user = await aBilled(session, { credits: 500 });
    const [first] = await use(session, user, 400, 1_300);
    await advance(session, user.clockId, '2026-01-10');
    await grant(session, user, 250);
    await use(session, user, 100);
    await advance(session, user.clockId, '2026-01-20');
    await voidEvent(session, first?.id ?? '');
    await advance(session, user.clockId, '2026-02-01');
    // 1,400 used, 500 and 100 covered: 800 of the 1,200 stay owed.
    expect(await billsOf(session, user.id)).toEqual([
      'threshold paid: usage 1200',
      'period paid: usage -400',
    ]);
    await expectAgreement(session, user.id);
  });

  test('costs by its model, and the period bills the difference to its tiers and limits', async ({
    session,
  }) => {
    const user = await aBilled(session, {
      pricing: {
        model: 'graduated',
        tiers: [
          { upTo: '1000', unitPrice: '2' },
          { upTo: null, unitPrice: '1' },
        ],
        maximumAmount: 3_500,
      },
    });
    await use(session, user, 700);
    await advance(session, user.clockId, '2026-01-10');
    await use(session, user, 800);
    await advance(session, user.clockId, '2026-01-20');
    await use(session, user, 5_000);
    await advance(session, user.clockId, '2026-02-01');
    // 700 × 2; then 1,000 × 2 + 500 − 1,400; then 3,500 at most, which leaves 1,000.
    expect(await billsOf(session, user.id)).toEqual([
      'threshold paid: usage 1400',
      'threshold paid: usage 1100',
      'threshold paid: usage 1000',
      'period paid: ',
    ]);
    await expectAgreement(session, user.id);
  });

  test('has the percentage of its period’s discount, and counts for a commitment', async ({
    session,
  }) => {
    const { code } = await aDiscount(session, { amount: 10 });
    const user = await aBilled(session, { discountCode: code, commitment: { amount: 3_000 } });
    await use(session, user, 1_200);
    await advance(session, user.clockId, '2026-01-10');
    await use(session, user, 300);
    await advance(session, user.clockId, '2026-02-01');
    expect(await billsOf(session, user.id)).toEqual([
      'threshold paid: usage 1200, discount -120',
      'period paid: usage 300, commitment 1500, discount -130',
    ]);
    await expectAgreement(session, user.id);
  });

  test('is retried after a failed charge, and puts the subscription in good standing once it is paid', async ({
    session,
  }) => {
    const user = await aBilled(session);
    const decline = { type: 'card', token: 'sandbox_decline_insufficient_funds' } as const;
    await createPaymentMethod(fresh(session), {
      paymentMethod: { customerId: user.customerId, ...decline, default: true },
    });
    await use(session, user, 1_100);
    await advance(session, user.clockId, '2026-01-02');
    expect(await billsOf(session, user.id)).toEqual(['threshold open: usage 1100']);
    expect(await subscriptionOf(session, user.id)).toMatchObject({ status: 'past_due' });
    await advance(session, user.clockId, '2026-01-05');
    const runs = await fresh(session).em.find(
      BillingRun,
      { subscription: user.id, purpose: 'threshold' },
      { orderBy: { attemptNumber: 'asc' } },
    );
    expect(runs.map(({ status }) => status)).toEqual(['failed', 'failed', 'scheduled']);
    await createPaymentMethod(fresh(session), {
      paymentMethod: {
        customerId: user.customerId,
        type: 'card',
        token: 'sandbox_success',
        default: true,
      },
    });
    await advance(session, user.clockId, '2026-01-06');
    expect(await billsOf(session, user.id)).toEqual(['threshold paid: usage 1100']);
    expect(await subscriptionOf(session, user.id)).toMatchObject({ status: 'active' });
    await advance(session, user.clockId, '2026-02-01');
    await expectAgreement(session, user.id);
  });

  test('is billed by the end of the subscription as far as no invoice has billed it', async ({
    session,
  }) => {
    const user = await aBilled(session);
    await use(session, user, 1_100);
    await advance(session, user.clockId, '2026-01-10');
    await use(session, user, 1_050);
    await cancelSubscription(fresh(session), {
      id: user.id,
      cancellation: { timing: 'immediately' },
    });
    await advance(session, user.clockId, '2026-01-20');
    expect(await billsOf(session, user.id)).toEqual([
      'threshold paid: usage 1100',
      'last_usage paid: usage 1050',
    ]);
    await expectAgreement(session, user.id);
  });

  test('is compared with a new amount at once, and no longer without one', async ({ session }) => {
    const user = await aBilled(session, { billAt: 100_000 });
    await use(session, user, 1_100);
    const change = (billAt: number | null) =>
      updateSubscription(fresh(session), { id: user.id, subscription: { billAt } });
    await change(1_000);
    await advance(session, user.clockId, '2026-01-10');
    await change(null);
    await use(session, user, 5_000);
    await advance(session, user.clockId, '2026-01-20');
    expect(await billsOf(session, user.id)).toEqual(['threshold paid: usage 1100']);
  });
});
