// @module-tag long
import { describe, expect } from 'vitest';
import { createCreditNote } from '#domain/invoicing/commands/credit-notes/create-credit-note.ts';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import {
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { announcePrepaidExpiry } from '#domain/invoicing/crediting/expire-prepaid.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { revokePrepaidCredit } from '#domain/money/commands/prepaid-credits/revoke-prepaid-credit.ts';
import { recordPayment } from '#domain/money/commands/remittances/record-payment.ts';
import { reversePayment } from '#domain/money/commands/remittances/reverse-payment.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { aDraft, anOpenInvoice, aSubscription } from '../../../support/factories.ts';
import { expectMoneyToAgree, setCredit } from '../../../support/money.ts';
import {
  anInvoiceOf,
  aPayer,
  aPrepaidCredit,
  creditsOf,
  invoiceOf,
} from '../../../support/prepaid.ts';
import { test as base } from '../../../support/test.ts';
import { advance, at, eventsOf, fresh } from '../../../support/timeline.ts';

/** Whatever a test does, documents, money and books agree in the end. */
const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(() => expectMoneyToAgree(session));
});

const balancesOf = async (session: Session, id: string) => {
  const found = await fresh(session).em.findOneOrFail(Customer, id);
  return [found.prepaidBalance, found.creditBalance];
};
const paymentOf = (session: Session, invoice: string) =>
  fresh(session).em.findOneOrFail(Payment, { invoice, status: 'succeeded' });
const credit = (session: Session, invoiceId: string, amount: number, settle = 'credit') =>
  createCreditNote(fresh(session), {
    creditNote: { invoiceId, amount, settle: settle as 'credit', reason: 'other' },
  });

describe('prepaid credit', () => {
  test('pays invoices before the credit balance, in the order in which usage credits are used', async ({
    session,
  }) => {
    const { customerId } = await aPayer(session);
    const later = await aPrepaidCredit(session, customerId, { amount: 100, validDays: 90 });
    const sooner = await aPrepaidCredit(session, customerId, { amount: 100, validDays: 30 });
    const first = await aPrepaidCredit(session, customerId, { amount: 100, priority: 10 });
    await setCredit(session, customerId, 1_000);
    const invoice = await anInvoiceOf(session, customerId, 250);
    expect(invoice).toMatchObject({ status: 'paid', creditApplied: 250, prepaidApplied: 250 });
    expect(await creditsOf(session, customerId)).toEqual([
      'gift 100: 50 left, 50 used',
      'gift 100: 100 used',
      'gift 100: 100 used',
    ]);
    const { steps, verified } = await explainInvoice(fresh(session), invoice.id);
    expect(verified).toBe(true);
    expect(steps.filter((step) => step.startsWith('paid by')).toSorted()).toEqual(
      [`${first.id}: USD 1.00`, `${later.id}: USD 0.50`, `${sooner.id}: USD 1.00`]
        .map((step) => `paid by ${step}`)
        .toSorted(),
    );
    const rest = await anInvoiceOf(session, customerId, 80);
    expect(rest).toMatchObject({ status: 'paid', creditApplied: 80, prepaidApplied: 50 });
    expect(await balancesOf(session, customerId)).toEqual([0, 970]);
  });

  test('pays once when two invoices use it at the same time', async ({ session }) => {
    const { customerId } = await aPayer(session);
    await aPrepaidCredit(session, customerId, { amount: 100 });
    const invoices = await Promise.all([70, 70].map((p) => anInvoiceOf(session, customerId, p)));
    expect(invoices.map(({ prepaidApplied }) => prepaidApplied).toSorted()).toEqual([30, 70]);
    expect(await creditsOf(session, customerId)).toEqual(['gift 100: 100 used']);
  });

  test('pays subscriptions, as the upcoming invoice shows', async ({ session }) => {
    const { customerId, clockId } = await aPayer(session);
    const { id } = await aSubscription(session, { customerId });
    await aPrepaidCredit(session, customerId, { amount: 1_300 });
    const upcoming = await upcomingInvoice(fresh(session), id);
    expect(upcoming?.invoice).toMatchObject({ total: 1_000, prepaidApplied: 1_000 });
    expect(await creditsOf(session, customerId)).toEqual(['gift 1300: 1300 left']);
    await advance(session, clockId, '2026-03-02');
    const invoices = await fresh(session).em.find(
      Invoice,
      { subscription: id },
      { orderBy: { position: 'asc' } },
    );
    expect(invoices.map(({ prepaidApplied }) => prepaidApplied)).toEqual([0, 1_000, 300]);
    expect((await paymentOf(session, invoices[2]?.id ?? '')).amount).toBe(700);
  });
});

describe('bought credit', () => {
  test('has an invoice without tax, and is granted once that is paid; its uses are taxed and are the revenue', async ({
    session,
    graphql,
  }) => {
    await updateOrganization(fresh(session), {
      organization: { taxType: 'vat', taxRatePercentage: '10' },
    });
    const { customerId } = await aPayer(session);
    await aPrepaidCredit(session, customerId, { amount: 40 });
    const bought = await aPrepaidCredit(session, customerId, { source: 'purchase', amount: 500 });
    const invoice = await invoiceOf(session, bought.invoiceId ?? '');
    expect(invoice).toMatchObject({ status: 'paid', total: 500, taxAmount: 0, creditApplied: 0 });
    expect((await eventsOf(session, bought.id)).map(({ type }) => type)).toEqual([
      'prepaid_credit.created',
      'prepaid_credit.granted',
    ]);
    const used = await anInvoiceOf(session, customerId, 100);
    expect(used).toMatchObject({ total: 110, prepaidApplied: 110, status: 'paid' });
    expect(await creditsOf(session, customerId)).toEqual([
      'gift 40: 40 used',
      'purchase 500: 430 left, 70 used',
    ]);
    const { data } = await graphql(
      '{ organizationRevenue(from: "2026-01-01", to: "2026-01-02", interval: day) { buckets { invoiced } } }',
    );
    expect(data.organizationRevenue.buckets).toEqual([{ invoiced: 110 }]);
  });

  test('stays pending while its invoice is unpaid, and is void with it', async ({ session }) => {
    const { customerId } = await aPayer(session, 'sandbox_decline_insufficient_funds');
    const order = { source: 'purchase', amount: 500 } as const;
    const [one, two] = [
      await aPrepaidCredit(session, customerId, order),
      await aPrepaidCredit(session, customerId, order),
    ];
    expect(one).toMatchObject({ status: 'pending', remaining: 0 });
    await voidInvoice(fresh(session), { id: one.invoiceId ?? '' });
    await markInvoiceUncollectible(fresh(session), { id: two.invoiceId ?? '' });
    expect(await creditsOf(session, customerId)).toEqual([
      'purchase 500: void',
      'purchase 500: void',
    ]);
    expect(await balancesOf(session, customerId)).toEqual([0, 0]);
  });

  test('is granted when a later attempt pays its invoice, and counts its days from then on', async ({
    session,
  }) => {
    const { customerId, clockId } = await aPayer(session, 'sandbox_decline_insufficient_funds');
    const order = { source: 'purchase', amount: 500, validDays: 10 } as const;
    const { id, invoiceId } = await aPrepaidCredit(session, customerId, order);
    await advance(session, clockId, '2026-01-20');
    const other = await anOpenInvoice(session, { customerId, lines: [{ quantity: 1, price: 1 }] });
    await payInvoice(fresh(session), { id: invoiceId ?? '' });
    expect(await fresh(session).em.findOneOrFail(PrepaidCredit, id)).toMatchObject({
      status: 'active',
      grantedAt: at('2026-01-20'),
      expiresAt: at('2026-01-30'),
    });
    expect(await invoiceOf(session, other.id)).toMatchObject({ prepaidApplied: 0 });
  });

  test('keeps the part that was paid before a write-off, which can be returned before', async ({
    session,
  }) => {
    const { customerId } = await aPayer(session, 'sandbox_decline_insufficient_funds');
    const order = { source: 'purchase', amount: 100 } as const;
    const { invoiceId } = await aPrepaidCredit(session, customerId, order);
    const id = invoiceId ?? '';
    await recordPayment(fresh(session), { invoiceId: id, amount: 40, method: 'check' } as never);
    await credit(session, id, 10, 'refund');
    await markInvoiceUncollectible(fresh(session), { id });
    expect(await creditsOf(session, customerId)).toEqual(['purchase 100: 30 left, 70 revoked']);
  });

  test('returns nothing that has expired, however late the job is', async ({ session }) => {
    const { customerId, clockId } = await aPayer(session);
    const order = { source: 'purchase', amount: 40, validDays: 10 } as const;
    const { id, invoiceId } = await aPrepaidCredit(session, customerId, order);
    await advance(session, clockId, '2026-01-02');
    // The time passes without the job.
    await fresh(session).em.nativeUpdate(PrepaidCredit, id, { expiresAt: at('2026-01-02') });
    const payment = await paymentOf(session, invoiceId ?? '');
    const refund = refundPayment(fresh(session), { id: payment.id });
    await expect(refund).rejects.toMatchObject({ issues: [{ code: 'INVALID_STATE' }] });
    await announcePrepaidExpiry(fresh(session), id);
    const types = (await eventsOf(session, id)).map(({ type }) => type);
    // The expiry of January 11 was announced, the one that has passed is not.
    expect(types.filter((type) => type === 'prepaid_credit.expiring')).toHaveLength(1);
    expect(await creditsOf(session, customerId)).toEqual(['purchase 40: 40 expired']);
  });

  test('returns as money only what is unused', async ({ session }) => {
    const { customerId } = await aPayer(session);
    const { invoiceId } = await aPrepaidCredit(session, customerId, {
      source: 'purchase',
      amount: 500,
    });
    const used = await anInvoiceOf(session, customerId, 200);
    const { id } = await paymentOf(session, invoiceId ?? '');
    for (const attempt of [
      () => refundPayment(fresh(session), { id, partialAmount: 301 }),
      () => credit(session, invoiceId ?? '', 301),
      () => credit(session, invoiceId ?? '', 301, 'refund'),
    ])
      await expect(attempt()).rejects.toMatchObject({ issues: [{ code: 'OUT_OF_RANGE' }] });
    await refundPayment(fresh(session), { id, partialAmount: 100 });
    await credit(session, invoiceId ?? '', 50);
    expect(await creditsOf(session, customerId)).toEqual([
      'purchase 500: 150 left, 200 used, 150 revoked',
    ]);
    await credit(session, used.id, 200);
    expect(await creditsOf(session, customerId)).toEqual(['purchase 500: 350 left, 150 revoked']);
    expect(await balancesOf(session, customerId)).toEqual([350, 50]);
  });

  test('pays nothing while its invoice is owed again, since a payment by hand was reversed', async ({
    session,
  }) => {
    const { customerId } = await aPayer(session, 'sandbox_decline_insufficient_funds');
    const order = { source: 'purchase', amount: 500 } as const;
    const { invoiceId } = await aPrepaidCredit(session, customerId, order);
    const pay = () =>
      recordPayment(fresh(session), { invoiceId, amount: 500, method: 'check' } as never);
    await pay();
    const used = await anInvoiceOf(session, customerId, 200);
    const { remittance } = await paymentOf(session, invoiceId ?? '');
    await reversePayment(fresh(session), { id: remittance?.id ?? '', reason: 'bounced' });
    expect(await creditsOf(session, customerId)).toEqual(['purchase 500: 200 used, 300 revoked']);
    await credit(session, used.id, 50);
    expect(await creditsOf(session, customerId)).toEqual(['purchase 500: 150 used, 350 revoked']);
    await pay();
    expect(await creditsOf(session, customerId)).toEqual(['purchase 500: 350 left, 150 used']);
  });
});

describe('an invoice that prepaid credit pays', () => {
  test('returns to each credit exactly what it gave when it becomes void', async ({ session }) => {
    const { customerId } = await aPayer(session);
    await aPrepaidCredit(session, customerId, { amount: 60 });
    await aPrepaidCredit(session, customerId, { amount: 30 });
    await setCredit(session, customerId, 5);
    const invoice = await anInvoiceOf(session, customerId, 200);
    expect(invoice).toMatchObject({ status: 'open', creditApplied: 95, prepaidApplied: 90 });
    await voidInvoice(fresh(session), { id: invoice.id });
    expect(await creditsOf(session, customerId)).toEqual(['gift 60: 60 left', 'gift 30: 30 left']);
    expect(await balancesOf(session, customerId)).toEqual([90, 5]);
  });

  test('returns money before prepaid credit, and prepaid credit never as money', async ({
    session,
  }) => {
    const { customerId } = await aPayer(session);
    await aPrepaidCredit(session, customerId, { amount: 600 });
    const { id } = await anInvoiceOf(session, customerId, 1_000);
    await payInvoice(fresh(session), { id });
    await credit(session, id, 300);
    expect(await balancesOf(session, customerId)).toEqual([0, 300]);
    const { id: paymentId } = await paymentOf(session, id);
    // Of the 400 that were charged, 300 are on the balance, from which the refund takes them.
    await refundPayment(fresh(session), { id: paymentId });
    expect(await balancesOf(session, customerId)).toEqual([0, 0]);
    await credit(session, id, 600);
    expect(await creditsOf(session, customerId)).toEqual(['gift 600: 600 left']);
    expect(await balancesOf(session, customerId)).toEqual([600, 0]);
  });
});

describe('time', () => {
  test('announces an expiry, then expires what is left or lets it roll over', async ({
    session,
  }) => {
    const { customerId, clockId } = await aPayer(session);
    const rolling = { amount: 100, validDays: 30, rollovers: 2, rolloverLimit: 60 };
    const { id } = await aPrepaidCredit(session, customerId, rolling);
    await aPrepaidCredit(session, customerId, { amount: 10, expiresAt: at('2026-02-10') });
    await advance(session, clockId, '2026-04-15');
    expect((await eventsOf(session, id)).map(({ type }) => type)).toEqual([
      'prepaid_credit.created',
      'prepaid_credit.expiring',
      'prepaid_credit.expired',
      'prepaid_credit.rolled_over',
      'prepaid_credit.expiring',
      'prepaid_credit.expired',
    ]);
    expect(await creditsOf(session, customerId)).toEqual([
      'gift 100: 100 expired',
      'gift 10: 10 expired',
    ]);
    expect(await balancesOf(session, customerId)).toEqual([0, 0]);
  });

  test('expires what returns to credit that has expired meanwhile', async ({ session }) => {
    const { customerId, clockId } = await aPayer(session);
    await aPrepaidCredit(session, customerId, { amount: 100, validDays: 30 });
    const { id } = await anInvoiceOf(session, customerId, 150);
    await advance(session, clockId, '2026-02-15');
    await voidInvoice(fresh(session), { id });
    expect(await creditsOf(session, customerId)).toEqual(['gift 100: 100 expired']);
  });
});

test('a gift is revoked with what returns to it, and bought credit is not', async ({ session }) => {
  const { customerId } = await aPayer(session);
  const { id } = await aPrepaidCredit(session, customerId, { amount: 100 });
  const invoice = await anInvoiceOf(session, customerId, 150);
  await revokePrepaidCredit(fresh(session), { id });
  await voidInvoice(fresh(session), { id: invoice.id });
  await revokePrepaidCredit(fresh(session), { id });
  expect(await creditsOf(session, customerId)).toEqual(['gift 100: 100 revoked']);
  const order = { source: 'purchase', amount: 100 } as const;
  const bought = await aPrepaidCredit(session, customerId, order);
  await expect(revokePrepaidCredit(fresh(session), { id: bought.id })).rejects.toMatchObject({
    issues: [{ code: 'NOT_ALLOWED', path: ['id'] }],
  });
});

test('refusals name the field', async ({ session, api }) => {
  const { customerId, methodId } = await aPayer(session);
  await aDraft(session, { customerId });
  const refused = async (input: object) => {
    const prepaidCredit = { customerId, source: 'gift', amount: 1, ...input };
    const { status, body } = await api(
      'POST',
      '/prepaid-credits',
      { prepaidCredit },
      { headers: { prefer: 'issues=detailed' } },
    );
    expect(status).toBe(400);
    return body.issues.map((issue: { path: string[]; code: string }) =>
      [...issue.path.slice(1), issue.code].join(' '),
    );
  };
  expect(await refused({ amount: 0 })).toEqual(['amount OUT_OF_RANGE']);
  expect(await refused({ customerId: 'cust_0' })).toEqual(['customerId NOT_FOUND']);
  expect(await refused({ currency: 'EUR' })).toEqual(['currency MISMATCH']);
  expect(await refused({ expiresAt: '2025-12-31' })).toEqual(['expiresAt OUT_OF_RANGE']);
  expect(await refused({ rollovers: 1 })).toEqual(['rollovers INVALID']);
  expect(await refused({ validDays: 1, rolloverLimit: 1 })).toEqual(['rolloverLimit INVALID']);
  expect(await refused({ paymentMethodId: methodId })).toEqual(['paymentMethodId INVALID']);
  expect(await refused({ source: 'purchase', expiresAt: '2026-12-31' })).toEqual([
    'expiresAt INVALID',
  ]);
});
