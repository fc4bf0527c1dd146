// @module-tag long
import { describe, expect } from 'vitest';
import { createCreditNote } from '#domain/invoicing/commands/credit-notes/create-credit-note.ts';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { anAdjustable, refused } from '../../../support/adjustments.ts';
import { aDiscount } from '../../../support/discounts.ts';
import { aPriceOf, aUsageMeter, aUsagePrice, fresh } from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree, setCredit } from '../../../support/money.ts';
import { durationOf } from '../../../support/simulation/money-discounts.ts';
import { test } from '../../../support/test.ts';
import { use, voidEvent } from '../../../support/usage.ts';
import { aBilled } from '../../../support/usage-invoices.ts';

const linesOf = async (invoice: Invoice | undefined) =>
  (await invoice?.lineItems.loadItems())?.map(({ type, amount }) => `${type} ${amount}`) ?? [];

/** The books agree, and each invoice is explained without differences. */
async function agree(session: Session, invoices: readonly Invoice[]) {
  for (const { id } of invoices) {
    expect((await explainInvoice(fresh(session), id)).differences).toEqual([]);
  }
  await expectMoneyToAgree(fresh(session));
  await expectBooksToAgree(fresh(session));
}

type Line = Awaited<ReturnType<typeof anAdjustable>>;

/** A plan of 1,000 for 30 days with a discount on a number of payments; null for all. */
async function discounted(
  session: Session,
  payments: number | null,
  size: Parameters<typeof aDiscount>[1] = { amount: 50 },
): Promise<Line> {
  const { id: discountId } = await aDiscount(session, { ...size, ...durationOf(payments) });
  return anAdjustable(session, { discountId });
}

const totals = async (line: Line) => (await line.invoices()).map(({ total }) => total);

/** Adjusts a subscription as its preview says, and returns the amount that is charged. */
async function adjusted(line: Line, items: Parameters<Line['adjust']>[0]) {
  const preview = await line.preview(items);
  const before = (await line.invoices()).length;
  await line.adjust(items);
  const charged = (await line.invoices()).slice(before);
  expect(charged.map(({ subtotal }) => subtotal)).toEqual(
    preview.prorationAmount ? [preview.prorationAmount] : [],
  );
  expect(charged[0]?.total ?? 0).toBe(preview.amountDue);
  return preview.prorationAmount;
}

describe('two meters that are corrected on one discounted invoice', () => {
  test('return their shares of one rounded sum, and each billed line is credited as it was paid', async ({
    session,
  }) => {
    const { code } = await aDiscount(session, { amount: 33 });
    const user = await aBilled(session, { discountCode: code });
    const meter = await aUsageMeter(session);
    await aUsagePrice(session, meter.id, { isDefault: true, unitPrice: 70, usageEventsPerUnit: 1 });
    const other = { id: user.id, slug: meter.slug };
    const [whole] = await use(session, user, 3);
    const [part] = await use(session, other, 2, 3);
    await user.to('2026-02-02');
    // 2,000 + 300 + 350 less 33 %; 215 of the 875 reduce the usage of 650.
    expect((await user.totals()).at(-1)).toBe(1_775);
    await voidEvent(session, whole?.id ?? '');
    await voidEvent(session, part?.id ?? '');
    await use(session, user, 4);
    await user.to('2026-03-02');
    const invoice = (await user.invoices()).at(-1) as Invoice;
    // 215 × 440 ÷ 650 is returned, and 33 % of the plan and the new usage of 400 are due.
    expect((await linesOf(invoice)).toSorted()).toEqual(
      ['static 2000', 'usage 100', 'usage -140', 'discount 146', 'discount -792'].toSorted(),
    );
    expect(invoice.total).toBe(1_314);
    const billed = (await invoice.lineItems.loadItems()).find(({ amount }) => amount === 100);
    const credit = (amount: number) =>
      createCreditNote(fresh(session), {
        creditNote: {
          invoiceId: invoice.id,
          lines: [{ invoiceLineItemId: billed?.id ?? '', amount }],
          settle: 'credit',
          reason: 'order_change',
        },
      });
    // 100 - 132 + 100: its share of the discount on 400, and that of the returned one.
    await expect(credit(69)).rejects.toMatchObject(
      refused('creditNote.lines.0.amount', /at most 68 \(USD 0\.68\)/),
    );
    expect((await credit(68)).total).toBe(68);
    await agree(session, await user.invoices());
  });
});

describe('a change of the interval', () => {
  test.for([
    [1, 2_750, [3_000, 3_000]],
    [2, 1_250, [3_000, 3_000]],
    [3, 1_250, [1_500, 3_000]],
    [null, 1_250, [1_500, 1_500]],
  ] as const)(
    'within a period uses the next of %j payments',
    async ([payments, charge, later], { session }) => {
      const line = await discounted(session, payments);
      await line.toDay(15);
      const long = { unitPrice: 3_000, intervalUnit: 'day', intervalCount: 60 } as const;
      const items = [{ priceId: await aPriceOf(line.fresh(), long), quantity: 1 }];
      expect(await adjusted(line, items)).toBe(charge);
      await line.toDay(136);
      expect(await totals(line)).toEqual([500, charge, ...later]);
      await agree(session, await line.invoices());
    },
  );

  test.for([
    [1, [3_000, 3_000]],
    [2, [1_500, 3_000]],
    [null, [1_500, 1_500]],
  ] as const)(
    'at the first instant of a period keeps its discount, of %j payments',
    async ([payments, later], { session }) => {
      const line = await discounted(session, payments);
      const long = { unitPrice: 3_000, intervalUnit: 'day', intervalCount: 60 } as const;
      const items = [{ priceId: await aPriceOf(line.fresh(), long), quantity: 1 }];
      expect(await adjusted(line, items)).toBe(1_000);
      await line.toDay(121);
      expect(await totals(line)).toEqual([500, 1_000, ...later]);
      await agree(session, await line.invoices());
    },
  );

  test('at the first instant of a free period uses the next payment', async ({ session }) => {
    const line = await discounted(session, 2);
    const free = [{ priceId: await line.monthly(0), quantity: 1 }];
    await line.adjust(free, { timing: 'at_end_of_current_billing_period' });
    await line.toDay(30);
    const long = { unitPrice: 3_000, intervalUnit: 'day', intervalCount: 60 } as const;
    const items = [{ priceId: await aPriceOf(line.fresh(), long), quantity: 1 }];
    expect(await adjusted(line, items)).toBe(1_500);
    await line.toDay(91);
    expect((await totals(line)).filter((total) => total > 0)).toEqual([500, 1_500, 3_000]);
    await agree(session, await line.invoices());
  });
});

describe('a fixed discount', () => {
  test('that is larger than a prorated amount reduces the whole period, and nothing twice', async ({
    session,
  }) => {
    const line = await discounted(session, null, { amountType: 'fixed', amount: 5_000 });
    await line.toDay(15);
    const to = async (price: number) => [{ priceId: await line.monthly(price), quantity: 1 }];
    expect(await adjusted(line, await to(2_000))).toBe(0);
    // Half of 12,000 - 5,000 is due, and the plans before were free by the same discount.
    expect(await adjusted(line, await to(12_000))).toBe(3_500);
    const charged = (await line.invoices()).at(-1);
    expect(await linesOf(charged)).toEqual(['static 5000', 'discount -1500']);
    await line.toDay(31);
    expect((await totals(line)).at(-1)).toBe(7_000);
    await agree(session, await line.invoices());
  });
});

describe('a discount on a number of payments', () => {
  test('is used once by a payment that fails and is paid later, and is explained as it was', async ({
    session,
  }) => {
    const line = await discounted(session, 2);
    const first = (await line.invoices())[0]?.id ?? '';
    const shown = async () => (await explainInvoice(fresh(session), first)).lines.at(-1)?.steps;
    const before = await shown();
    expect(before?.at(-1)).toBe('number_of_payments: payment 1 of 2');
    await line.pays('sandbox_decline_insufficient_funds', { default: true });
    await line.toDay(31);
    const failed = (await line.invoices()).at(-1);
    expect(failed).toMatchObject({ total: 500, status: 'open' });
    await line.pays('sandbox_success', { default: true });
    await line.toDay(45);
    expect((await line.invoices()).at(-1)).toMatchObject({ id: failed?.id, status: 'paid' });
    await line.toDay(61);
    expect(await totals(line)).toEqual([500, 500, 1_000]);
    expect(await shown()).toEqual(before);
    await agree(session, await line.invoices());
  });

  test('waits over a free period', async ({ session }) => {
    const line = await discounted(session, 2);
    const later = { timing: 'at_end_of_current_billing_period' } as const;
    await line.adjust([{ priceId: await line.monthly(0), quantity: 1 }], later);
    await line.toDay(31);
    await line.adjust([{ priceId: await line.monthly(800), quantity: 1 }], later);
    await line.toDay(91);
    expect((await totals(line)).filter((total) => total > 0)).toEqual([500, 400, 800]);
    const { em } = fresh(session);
    const redemption = await em.findOneOrFail(DiscountRedemption, { subscription: line.id });
    expect(redemption.remainingPayments).toBe(0);
    await agree(session, await line.invoices());
  });

  test.for([1, 2])(
    'that ends after payment %j where an adjustment is scheduled reduces nothing of the new plan',
    async (payments, { session }) => {
      const line = await discounted(session, payments);
      await line.toDay(30 * payments - 1);
      await line.adjust([{ priceId: await line.monthly(2_000), quantity: 1 }], {
        timing: 'at_end_of_current_billing_period',
      });
      const foreseen = await upcomingInvoice(fresh(session), line.id);
      await line.toDay(30 * payments + 1);
      expect(await totals(line)).toEqual([...Array(payments).fill(500), 2_000]);
      expect(foreseen?.invoice.total).toBe(2_000);
      await agree(session, await line.invoices());
    },
  );
});

test('an inclusive tax is part of the discounted amount, with each rate of its time', async ({
  session,
}) => {
  const tax = (taxRatePercentage: string) =>
    updateOrganization(fresh(session), {
      organization: { taxType: 'vat', taxRatePercentage, taxInclusive: true },
    });
  await tax('19');
  const { id: discountId } = await aDiscount(session, { amount: 33 });
  const line = await anAdjustable(session, { unitPrice: 999, discountId });
  for (const [period, rate] of ['7', '8.875', '33.3333', '100'].entries()) {
    await tax(rate);
    await line.toDay(30 * (period + 1) + 1);
  }
  // 999 - 330 = 669, of which rate ÷ (100 + rate) is tax.
  const invoices = await line.invoices();
  expect(invoices.map(({ subtotal, taxAmount, total }) => [subtotal, taxAmount, total])).toEqual([
    [669, 107, 669],
    [669, 44, 669],
    [669, 55, 669],
    [669, 167, 669],
    [669, 335, 669],
  ]);
  await line.toDay(135);
  const charge = await adjusted(line, [{ priceId: await line.monthly(1_999), quantity: 1 }]);
  // Half of 1,339 and of 669, each rounded half up, less 669.
  expect(charge).toBe(336);
  expect((await line.invoices()).at(-1)).toMatchObject({ taxAmount: 168, total: 336 });
  for (const invoice of invoices) {
    const note = { invoiceId: invoice.id, settle: 'credit', reason: 'order_change' } as const;
    const first = await createCreditNote(fresh(session), { creditNote: { ...note, amount: 223 } });
    const rest = await createCreditNote(fresh(session), { creditNote: { ...note, whole: true } });
    expect(first.total + rest.total).toBe(669);
    expect(first.taxAmount + rest.taxAmount).toBe(invoice.taxAmount);
  }
  await agree(session, await line.invoices());
});

test('a credit balance pays the discounted amount, and corrected usage returns what was paid for it', async ({
  session,
}) => {
  const { code } = await aDiscount(session, { amount: 50 });
  const user = await aBilled(session, { discountCode: code });
  const [event] = await use(session, user, 10);
  await setCredit(fresh(session), user.customerId, 700);
  await user.to('2026-02-02');
  const billed = (await user.invoices()).at(-1) as Invoice;
  expect(billed).toMatchObject({ total: 1_500, creditApplied: 700, status: 'paid' });
  expect(await user.credit()).toBe(0);
  const plan = (await billed.lineItems.loadItems()).find(({ type }) => type === 'static');
  await createCreditNote(fresh(session), {
    creditNote: {
      invoiceId: billed.id,
      lines: [{ invoiceLineItemId: plan?.id ?? '', amount: 400 }],
      settle: 'credit',
      reason: 'order_change',
    },
  });
  expect(await user.credit()).toBe(400);
  await voidEvent(session, event?.id ?? '');
  await user.to('2026-03-02');
  const corrected = (await user.invoices()).at(-1) as Invoice;
  expect(await linesOf(corrected)).toEqual([
    'static 2000',
    'usage -1000',
    'discount 500',
    'discount -1000',
  ]);
  expect(corrected).toMatchObject({ total: 500, creditApplied: 400, status: 'paid' });
  await agree(session, await user.invoices());
});

test('usage that is set off against credited usage at the end of a subscription is discounted, too', async ({
  session,
}) => {
  const { code } = await aDiscount(session, { amount: 50, ...durationOf(3) });
  const user = await aBilled(session, { discountCode: code });
  const [event] = await use(session, user, 10);
  await user.to('2026-02-02');
  expect((await user.totals()).at(-1)).toBe(1_500);
  await voidEvent(session, event?.id ?? '');
  await use(session, user, 3);
  await user.cancel();
  const invoice = (await user.invoices()).at(-1) as Invoice;
  // 1,000 - 500 is credited, of which 300 - 150 is set off.
  expect((await linesOf(invoice)).toSorted()).toEqual(
    ['usage -700', 'discount 500', 'discount -150', 'static 350'].toSorted(),
  );
  expect(await user.credit()).toBe(350);
  const steps = (await explainInvoice(fresh(session), invoice.id)).lines.flatMap(
    ({ steps }) => steps,
  );
  expect(steps).toContain('number_of_payments: payment 3 of 3');
  await agree(session, await user.invoices());
});
