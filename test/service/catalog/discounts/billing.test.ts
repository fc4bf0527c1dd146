// @module-tag long
import { describe, expect } from 'vitest';
import { updateDiscount } from '#domain/catalog/commands/discounts/update-discount.ts';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Discount } from '#domain/model/catalog/discount.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { anAdjustable } from '../../../support/adjustments.ts';
import { aDiscount } from '../../../support/discounts.ts';
import { aCustomer, aPaymentMethod, aSubscription, fresh } from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { test } from '../../../support/test.ts';
import { use, voidEvent } from '../../../support/usage.ts';
import { aBilled, type Billed } from '../../../support/usage-invoices.ts';

/** The lines of an invoice as `type amount`. */
const linesOf = async (invoice: Invoice | undefined) =>
  (await invoice?.lineItems.loadItems())?.map(({ type, amount }) => `${type} ${amount}`) ?? [];

const latestOf = async ({ invoices }: Pick<Billed, 'invoices'>) =>
  (await invoices()).at(-1) as Invoice;

const redemptionOf = (session: Session, subscription: string) =>
  fresh(session).em.findOneOrFail(DiscountRedemption, { subscription });

/** A subscription to a price of 1,000 for 30 days, with a discount. */
async function discounted(
  session: Session,
  discount: Parameters<typeof aDiscount>[1] = {},
  terms: Parameters<typeof anAdjustable>[1] = {},
) {
  const { code } = await aDiscount(session, discount);
  return anAdjustable(session, { discountCode: code.toLowerCase(), ...terms });
}

const agree = async (session: Session) => {
  await expectMoneyToAgree(fresh(session));
  await expectBooksToAgree(fresh(session));
};

describe('a discount on the payments of a subscription', () => {
  test('is a line of its own before tax, forever, and is explained and foreseen', async ({
    session,
  }) => {
    await updateOrganization(fresh(session), {
      organization: { taxType: 'vat', taxRatePercentage: '19', taxInclusive: false },
    });
    const line = await discounted(session, { amount: 15 }, { unitPrice: 999 });
    const [first] = await line.invoices();
    expect(await linesOf(first)).toEqual(['static 999', 'discount -150']);
    expect(first).toMatchObject({ subtotal: 849, taxAmount: 161, total: 1_010, status: 'paid' });
    const upcoming = await upcomingInvoice(fresh(session), line.id);
    expect(upcoming?.invoice.total).toBe(1_010);
    const explained = await explainInvoice(fresh(session), first?.id ?? '');
    expect(explained).toMatchObject({ verified: true, differences: [] });
    expect(explained.lines.at(-1)?.steps).toEqual([
      expect.stringContaining(': 15 % of USD 9.99, rounded half up = -USD 1.50'),
      'forever: every payment',
    ]);
    await line.toDay(61);
    expect((await line.invoices()).map(({ total }) => total)).toEqual([1_010, 1_010, 1_010]);
    expect((await redemptionOf(session, line.id)).paymentCount).toBe(3);
    await agree(session);
  });

  test.for([
    [{ duration: 'once' as const }, [800, 1_000, 1_000]],
    [{ duration: 'number_of_payments' as const, numberOfPayments: 2 }, [800, 800, 1_000]],
    [{ amountType: 'fixed' as const, amount: 300 }, [700, 700, 700]],
    [{ amountType: 'fixed' as const, amount: 5_000, duration: 'once' as const }, [0, 1_000, 1_000]],
    [{ amount: 250, duration: 'once' as const }, [0, 1_000, 1_000]],
  ] as const)('%j leads to payments of %j', async ([discount, totals], { session }) => {
    const line = await discounted(session, discount);
    await line.toDay(61);
    const invoices = await line.invoices();
    expect(invoices.map(({ total }) => total)).toEqual(totals);
    expect(invoices.every(({ status }) => status === 'paid')).toBe(true);
    await agree(session);
  });

  test('waits through a trial, survives a cancellation that is withdrawn, and keeps its terms', async ({
    session,
  }) => {
    const discount = await aDiscount(session, { duration: 'once' });
    const line = await anAdjustable(session, { trialDays: 14, discountId: discount.id });
    expect((await redemptionOf(session, line.id)).remainingPayments).toBe(1);
    expect((await upcomingInvoice(fresh(session), line.id))?.invoice.total).toBe(800);
    expect((await redemptionOf(session, line.id)).remainingPayments).toBe(1);
    const later = { timing: 'at_end_of_current_billing_period' } as const;
    await cancelSubscription(fresh(session), { id: line.id, cancellation: later });
    await uncancelSubscription(fresh(session), { id: line.id });
    await updateDiscount(fresh(session), {
      id: discount.id,
      discount: { amount: 90, active: false },
    });
    await line.toDay(45);
    expect((await line.invoices()).map(({ total }) => total)).toEqual([800, 1_000]);
  });
});

describe('an adjustment of a discounted period', () => {
  test('prorates the discounted amount; the preview is the charge', async ({ session }) => {
    const line = await discounted(session, { amount: 50, duration: 'once' });
    await line.toDay(15);
    const items = [{ priceId: await line.monthly(2_000), quantity: 1 }];
    const preview = await line.preview(items);
    expect(preview).toMatchObject({ isUpgrade: true, prorationAmount: 250, amountDue: 250 });
    await line.adjust(items);
    const charged = (await line.invoices()).at(-1);
    expect(charged).toMatchObject({ status: 'paid', total: 250 });
    expect(await linesOf(charged)).toEqual(['static 500', 'discount -250']);
    expect(await explainInvoice(fresh(session), charged?.id ?? '')).toMatchObject({
      verified: true,
    });
    await line.toDay(31);
    expect((await line.invoices()).at(-1)?.total).toBe(2_000);
    await agree(session);
  });

  test('is an upgrade by the listed totals, and credits no more than was paid', async ({
    session,
  }) => {
    await updateOrganization(fresh(session), { organization: { prorationCredit: 'balance' } });
    const line = await discounted(session, { amount: 50 }, { unitPrice: 2_000 });
    await line.toDay(15);
    const items = [{ priceId: await line.monthly(1_000), quantity: 1 }];
    const preview = await line.preview(items);
    expect(preview).toMatchObject({ isUpgrade: false, creditAmount: 250 });
    await line.adjust(items);
    const notes = await fresh(session).em.find(CreditNote, { customer: line.customer.id });
    expect(notes.map(({ total }) => total)).toEqual([250]);
    await agree(session);
  });
});

describe('usage in arrears', () => {
  test('is discounted with the plan; credited usage returns its share of the discount', async ({
    session,
  }) => {
    const { code } = await aDiscount(session, {
      amount: 50,
      duration: 'number_of_payments',
      numberOfPayments: 2,
    });
    const user = await aBilled(session, { discountCode: code });
    const [event] = await use(session, user, 10);
    await user.to('2026-02-02');
    const billed = await latestOf(user);
    expect(await linesOf(billed)).toEqual(['static 2000', 'usage 1000', 'discount -1500']);
    expect(await explainInvoice(fresh(session), billed.id)).toMatchObject({ verified: true });
    await voidEvent(session, event?.id ?? '');
    await user.to('2026-03-02');
    const corrected = await latestOf(user);
    expect(await linesOf(corrected)).toEqual(['static 2000', 'usage -1000', 'discount 500']);
    expect(corrected.total).toBe(1_500);
    const [note] = await fresh(session).em.find(CreditNote, { invoice: billed.id });
    expect(note?.total).toBe(500);
    await agree(session);
  });

  test('is credited as it was paid after the end of the subscription', async ({ session }) => {
    const { code } = await aDiscount(session, { amount: 50 });
    const user = await aBilled(session, { discountCode: code });
    const [event] = await use(session, user, 10);
    await user.cancel();
    expect(await linesOf(await latestOf(user))).toEqual(['usage 1000', 'discount -500']);
    await user.to('2026-01-02');
    await voidEvent(session, event?.id ?? '');
    expect(await user.credit()).toBe(500);
    await agree(session);
  });
});

test('a full refund of a discounted invoice returns what was paid, and the tax of it', async ({
  session,
}) => {
  await updateOrganization(fresh(session), {
    organization: { taxType: 'vat', taxRatePercentage: '19', taxInclusive: true },
  });
  const line = await discounted(session, { amount: 33 });
  const [payment] = await line.payments();
  await refundPayment(fresh(session), { id: payment?.id ?? '', partialAmount: 100 });
  await refundPayment(fresh(session), { id: payment?.id ?? '' });
  const [invoice] = await line.invoices();
  const notes = await fresh(session).em.find(CreditNote, { invoice: invoice?.id ?? '' });
  const sum = (of: (note: CreditNote) => number) => notes.reduce((all, note) => all + of(note), 0);
  expect([sum(({ total }) => total), sum(({ taxAmount }) => taxAmount)]).toEqual([
    670,
    invoice?.taxAmount,
  ]);
  await agree(session);
});

describe('the redemption of a discount', () => {
  test('is refused with the reason, and nothing is written', async ({ session, api }) => {
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId, { default: true });
    const product = await aSubscription(session);
    const priceId = product.priceId;
    const refusal = async (named: object) =>
      (await api('POST', '/subscriptions', { customerId, priceId, ...named })).body.issues;
    const inactive = await aDiscount(session, { active: false });
    const expired = await aDiscount(session, { expiresAt: new Date(session.now.getTime() - 1) });
    const euros = await aDiscount(session, { amountType: 'fixed', amount: 1, currency: 'EUR' });
    const usable = await aDiscount(session);
    for (const [named, message] of [
      [{ discountCode: 'NONE' }, 'discountCode: Unknown code NONE: give the code of'],
      [{ discountId: 'discount_none' }, 'discountId: Unknown discount discount_none'],
      [{ discountCode: inactive.code }, `${inactive.code} is not active`],
      [{ discountId: expired.id }, `discountId: ${expired.code} has expired at`],
      [
        { discountCode: euros.code },
        'reduces amounts in EUR by EUR 0.01, and this amount is in USD',
      ],
      [{ discountCode: usable.code, discountId: usable.id }, 'give either discountCode or'],
      [{ discountCode: usable.code, doNotCharge: true }, 'must be left out where doNotCharge'],
    ] as const) {
      expect(await refusal(named)).toEqual([{ message: expect.stringContaining(message) }]);
    }
    expect(await fresh(session).em.count(DiscountRedemption, {})).toBe(0);
    const body = { customerId, priceId, discountCode: usable.code };
    expect(await api('POST', '/subscriptions', body)).toMatchObject({ status: 200 });
    const one = await api('GET', `/discounts/${usable.id}`);
    expect(one.body.discount.redemptionCount).toBe(1);
  });

  test('is released when its subscription ends before a payment, and not afterwards', async ({
    session,
    api,
  }) => {
    const { id, code } = await aDiscount(session, { redemptionLimit: 1 });
    const count = async () => (await fresh(session).em.findOneOrFail(Discount, id)).redemptionCount;
    const subscribe = async (paid: boolean) => {
      const { id: customerId } = await aCustomer(session);
      if (paid) await aPaymentMethod(session, customerId, { default: true });
      const { id } = await aSubscription(session, { customerId, discountCode: code });
      return async () => {
        expect(await count()).toBe(1);
        const cancellation = { timing: 'immediately' };
        const { status } = await api('POST', `/subscriptions/${id}/cancel`, { cancellation });
        expect(status).toBe(200);
      };
    };
    await (await subscribe(false))();
    expect(await count()).toBe(0);
    await (await subscribe(true))();
    expect(await count()).toBe(1);
    const { data } = (await api('GET', '/discount-redemptions')).body;
    expect(data).toMatchObject([{ releasedAt: expect.any(Number) }, { releasedAt: null }]);
  });

  test('of 64 callers at once stops at the limit', async ({ session, api }) => {
    const { id, code } = await aDiscount(session, { redemptionLimit: 5 });
    const { priceId } = await aSubscription(session, { unitPrice: 100 });
    const customers: string[] = [];
    for (let n = 0; n < 64; n++) customers.push((await aCustomer(session)).id);
    const answers = await Promise.all(
      customers.map((customerId) =>
        api('POST', '/subscriptions', { customerId, priceId, discountCode: code }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.find(({ status }) => status === 400)?.body.issues).toEqual([
      { message: `discountCode: ${code} has been redeemed 5 times, which is its limit` },
    ]);
    expect((await fresh(session).em.findOneOrFail(Discount, id)).redemptionCount).toBe(5);
    expect(await fresh(session).em.count(DiscountRedemption, { discount: id })).toBe(5);
  });
});
