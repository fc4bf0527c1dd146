import { describe, expect } from 'vitest';
import { archiveCustomer } from '#domain/customers/archive-customer.ts';
import { Customer } from '#domain/customers/customer.ts';
import { explainInvoice } from '#domain/invoices/explain-invoice.ts';
import { voidInvoice } from '#domain/invoices/settle-by-hand.ts';
import { updateOrganization } from '#domain/organizations/update-organization.ts';
import { refundPayment } from '#domain/payments/refund-payment.ts';
import type { Session } from '#domain/session.ts';
import { anAdjustable } from '../../support/adjustments.ts';
import { expectBooksToAgree } from '../../support/books.ts';
import { fresh } from '../../support/factories.ts';
import { test } from '../../support/test.ts';

type Adjustable = Awaited<ReturnType<typeof anAdjustable>>;

const amounts = async (it: Adjustable) => (await it.charges()).map(({ amount }) => amount);
const balanceOf = async (it: Adjustable) =>
  (await it.fresh().em.findOneOrFail(Customer, it.customer.id)).creditBalance;
const keepCredit = (session: Session) =>
  updateOrganization(fresh(session), { organization: { prorationCredit: 'balance' } });

describe('what was paid too much when a plan gets cheaper at once', () => {
  test('is lost unless the organization keeps it', async ({ session }) => {
    const it = await anAdjustable(session, { unitPrice: 2_000 });
    await it.toDay(15);
    await it.adjust([{ priceId: await it.monthly(1_000) }]);
    expect(await balanceOf(it)).toBe(0);
  });

  test('goes to the balance once, and later invoices use it up first', async ({ session }) => {
    await keepCredit(session);
    const it = await anAdjustable(session, { unitPrice: 2_000 });
    await it.toDay(15);
    const items = [{ priceId: await it.monthly(200) }];
    expect(await it.preview(items)).toMatchObject({ prorationAmount: 0, creditAmount: 900 });
    await it.adjust(items);
    expect(await balanceOf(it)).toBe(900);
    const [item] = (await it.items()).filter(({ expiredAt }) => !expiredAt);
    await it.adjust([{ id: item?.id }]);
    expect(await balanceOf(it)).toBe(900);
    await it.toDay(30 * 6 + 1);
    expect(await amounts(it)).toEqual([2_000, 100, 200]);
    expect((await it.invoices()).map(({ creditApplied }) => creditApplied)).toEqual([
      0, 200, 200, 200, 200, 100, 0,
    ]);
    const used = (await it.invoices())[5];
    const explained = await explainInvoice(it.fresh(), used?.id ?? '');
    expect(explained).toMatchObject({ verified: true });
    expect(explained.steps).toContain('paid by the credit balance: 100');
    expect(explained.steps.at(-1)).toBe('still to be paid: 0');
    await expectBooksToAgree(session);
  });

  test('comes with its tax, and without what has gone back', async ({ session }) => {
    await keepCredit(session);
    await updateOrganization(fresh(session), {
      organization: { taxType: 'vat', taxRatePercentage: '10' },
    });
    const it = await anAdjustable(session, { unitPrice: 2_000 });
    const [payment] = await it.payments();
    await refundPayment(it.fresh(), { id: payment?.id ?? '', partialAmount: 220 });
    await it.toDay(15);
    // 1,800 are still here, and the period is worth 1,500.
    await it.adjust([{ priceId: await it.monthly(1_000) }]);
    expect(await balanceOf(it)).toBe(330);
    await it.adjust([{ priceId: await it.monthly(500) }]);
    expect(await balanceOf(it)).toBe(330 + 275);
  });

  test('pays for an upgrade, too, without the processor when it is enough', async ({ session }) => {
    await keepCredit(session);
    const it = await anAdjustable(session, { unitPrice: 2_000 });
    await it.toDay(15);
    await it.adjust([]);
    expect(await balanceOf(it)).toBe(1_000);
    const items = [{ priceId: await it.monthly(1_000) }];
    expect(await it.preview(items)).toMatchObject({
      prorationAmount: 500,
      amountDue: 0,
    });
    await it.toDay(31);
    await it.adjust(items);
    expect(await balanceOf(it)).toBe(33);
    expect(await amounts(it)).toEqual([2_000]);
    expect(await it.current()).toMatchObject({ transitionDueAt: it.day(60) });
    await expectBooksToAgree(session);
  });

  test('is given back with an invoice that is void or cannot be paid', async ({ session }) => {
    await keepCredit(session);
    const it = await anAdjustable(session, { unitPrice: 2_000 });
    await it.toDay(15);
    await it.adjust([{ priceId: await it.monthly(1_000) }]);
    await it.pays('sandbox_decline_expired_card', { default: true });
    await expect(it.adjust([{ priceId: await it.monthly(9_000) }])).rejects.toThrow('expired_card');
    expect(await balanceOf(it)).toBe(500);
    await it.toDay(31);
    expect(await balanceOf(it)).toBe(0);
    const [open] = (await it.invoices()).filter(({ status }) => status === 'open');
    await voidInvoice(it.fresh(), { id: open?.id ?? '' });
    expect(await balanceOf(it)).toBe(500);
    await expectBooksToAgree(session);
  });
});

test('what was paid for an adjustment of a subscription that has ended meanwhile goes to the balance', async ({
  session,
}) => {
  const it = await anAdjustable(session);
  await it.pays('sandbox_slow', { default: true });
  await it.toDay(15);
  await it.adjust([{ priceId: await it.monthly(2_000) }]);
  await archiveCustomer(it.fresh(), { externalId: it.customer.externalId });
  await it.toDay(16);
  expect(await balanceOf(it)).toBe(500);
  expect(await it.current()).toMatchObject({ status: 'canceled', transitionDueAt: null });
  await expectBooksToAgree(session);
});
