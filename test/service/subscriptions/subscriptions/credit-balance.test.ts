// @module-tag long
import { describe, expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import { voidInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { archiveCustomer } from '#domain/platform/commands/customers/archive-customer.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { anAdjustable } from '../../../support/adjustments.ts';
import { fresh } from '../../../support/factories.ts';
import { expectMoneyToAgree, moneyOf } from '../../../support/money.ts';
import { test } from '../../../support/test.ts';

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
    expect(explained.steps).toContain('paid by the credit balance: USD 1.00');
    expect(explained.steps.at(-1)).toBe('still to be paid: USD 0.00');
    await expectMoneyToAgree(session);
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
    await it.adjust([{ priceId: await it.monthly(0) }]);
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
    await expectMoneyToAgree(session);
  });

  test('returns with an invoice that is void or cannot be paid', async ({ session }) => {
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
    await expectMoneyToAgree(session);
  });
});

describe('what a period is still being paid too much for', () => {
  /** Begins a period of 5,000 that `token` is to pay, and makes it cheaper at once when `token` has been asked. */
  async function aCheaper(session: Session, token: string, { isAsked = true } = {}) {
    await keepCredit(session);
    const it = await anAdjustable(session, { unitPrice: 5_000 });
    await it.pays(token, { default: true });
    await (isAsked ? it.toDay(30) : it.moveClockAlone(30.01));
    if (isAsked) await it.toDay(30.01);
    await it.adjust([{ priceId: await it.monthly(1_000) }]);
    const [item] = (await it.items()).filter(({ expiredAt }) => !expiredAt);
    return { it, item };
  }

  test.for([
    ['sandbox_success', true, 3_998],
    ['sandbox_slow', true, 0],
    ['sandbox_success', false, 0],
    ['sandbox_slow', false, 0],
  ] as const)(
    'goes to the balance when it has been paid, by %s (asked for before: %s)',
    async ([token, isAsked, atOnce], { session }) => {
      const { it, item } = await aCheaper(session, token, { isAsked });
      expect(await balanceOf(it)).toBe(atOnce);
      // Neither what is worth the same nor what is not prorated makes a difference.
      await it.adjust([{ id: item?.id, name: 'Renamed' }]);
      await it.adjust([{ id: item?.id, quantity: 3 }], { prorateCurrentBillingPeriod: false });
      await it.adjust([{ id: item?.id, quantity: 1 }], { prorateCurrentBillingPeriod: false });
      await it.toDay(32);
      expect(await balanceOf(it)).toBe(3_998);
      await it.adjust([{ id: item?.id, name: 'Renamed again' }]);
      await it.toDay(59);
      expect(await balanceOf(it)).toBe(3_998);
      await it.toDay(61);
      expect(await balanceOf(it)).toBe(2_998);
      expect(await amounts(it)).toEqual([5_000, 5_000]);
      await expectMoneyToAgree(session);
    },
  );

  test('comes with its tax', async ({ session }) => {
    const organization = { taxType: 'vat' as const, taxRatePercentage: '10' };
    await updateOrganization(fresh(session), { organization });
    for (const isAsked of [true, false]) {
      const { it } = await aCheaper(session, 'sandbox_slow', { isAsked });
      await it.toDay(32);
      expect(await balanceOf(it)).toBe(4_398);
    }
  });

  test('is what the latest adjustment leaves of it', async ({ session }) => {
    const { it, item } = await aCheaper(session, 'sandbox_slow');
    await it.adjust([{ id: item?.id, unitPrice: 5_000 }]);
    await it.toDay(32);
    expect(await balanceOf(it)).toBe(0);
    await expectMoneyToAgree(session);
  });

  test('is nothing while it cannot be paid', async ({ session }) => {
    const { it, item } = await aCheaper(session, 'sandbox_requires_action');
    await it.toDay(32);
    expect(await it.current()).toMatchObject({ status: 'past_due' });
    expect(await balanceOf(it)).toBe(0);
    // The tries that follow amount to nothing either, and what is paid in their place is no more than is owed.
    await it.toDay(44);
    expect(await balanceOf(it)).toBe(0);
    const good = await it.pays('sandbox_success');
    await it
      .fresh()
      .em.execute('update subscription set default_payment_method_id = ? where id = ?', [
        good.id,
        it.id,
      ]);
    await it.adjust([{ id: item?.id, name: 'Renamed' }]);
    await it.toDay(59);
    expect(await balanceOf(it)).toBe(0);
    const paid = (await it.charges()).filter(({ status }) => status === 'succeeded');
    expect(paid.map(({ amount }) => amount)).toEqual([5_000, 1_002]);
    await expectMoneyToAgree(session);
  });

  test('comes with a later try that succeeds', async ({ session }) => {
    const { it } = await aCheaper(session, 'sandbox_requires_action');
    await it.toDay(32);
    await it.pays('sandbox_success', { default: true });
    await it.toDay(50);
    expect(await balanceOf(it)).toBe(3_998);
    await expectMoneyToAgree(session);
  });
});

test('a charge for an adjustment of a subscription that has ended meanwhile is canceled, or goes to the balance', async ({
  session,
}) => {
  const it = await anAdjustable(session);
  await it.pays('sandbox_slow', { default: true });
  await it.toDay(15);
  await it.adjust([{ priceId: await it.monthly(2_000) }]);
  await archiveCustomer(it.fresh(), { externalId: it.customer.externalId });
  await it.toDay(16);
  const { payments, charges } = await moneyOf(session);
  expect(payments).toBe(charges);
  expect(payments - (await balanceOf(it))).toBe(1_000);
  expect(await it.current()).toMatchObject({ status: 'canceled', transitionDueAt: null });
  await expectMoneyToAgree(session);
});
