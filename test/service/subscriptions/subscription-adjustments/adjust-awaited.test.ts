// @module-tag long
import { describe, expect } from 'vitest';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { voidInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { chargeAdjustment } from '#domain/money/collection/charge-adjustment.ts';
import { executeBillingRun } from '#domain/money/collection/execute-billing-run.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { archiveCustomer } from '#domain/platform/commands/customers/archive-customer.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { lockSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { planAdjustment } from '#domain/subscriptions/adjusting/plan-adjustment.ts';
import { anAdjustable, refused } from '../../../support/adjustments.ts';
import { aPriceOf, fresh } from '../../../support/factories.ts';
import { expectMoneyToAgree, setCredit } from '../../../support/money.ts';
import { test as base } from '../../../support/test.ts';

const test = base.extend('keeping', async ({ session }) => {
  const organization = { prorationCredit: 'balance' } as const;
  await updateOrganization(fresh(session), { organization });
  return session;
});

type Adjustable = Awaited<ReturnType<typeof anAdjustable>>;

const balanceOf = async (it: Adjustable) =>
  (await it.fresh().em.findOneOrFail(Customer, it.customer.id)).creditBalance;

const setBalance = (it: Adjustable, amount: number) =>
  setCredit(it.fresh(), it.customer.id, amount);

const weekly = (it: Adjustable, unitPrice: number) =>
  aPriceOf(it.fresh(), { unitPrice, intervalUnit: 'day', intervalCount: 7 });

const openInvoice = async (it: Adjustable) =>
  (await it.invoices()).find(({ status }) => status === 'open')?.id ?? '';

describe('credit for what is still being paid', () => {
  test('lowers what counts for a commitment at the end of the term, and not again when it is given', async ({
    keeping,
  }) => {
    const commitment = { amount: 2_000, trueUp: 'at_end', counts: 'all' } as const;
    const sent = { collectionMethod: 'send_invoice', daysUntilDue: 90 } as const;
    const it = await anAdjustable(keeping, { quantity: 2, commitment, ...sent });
    const [item] = await it.items();
    await it.toDay(15);
    await it.adjust([{ id: item?.id ?? '', quantity: 1 }]);
    const lines = async () => {
      const of = { customerId: it.customer.id, type: 'commitment' } as const;
      const found = await it
        .fresh()
        .em.find(InvoiceLineItem, of, { orderBy: { createdAt: 'asc' } });
      return found.map(({ amount }) => amount);
    };
    await it.toDay(31);
    expect(await lines()).toEqual([500]);
    const [first] = await it.invoices();
    await payInvoice(it.fresh(), { id: first?.id ?? '' });
    expect(await balanceOf(it)).toBe(500);
    await it.toDay(61);
    expect(await lines()).toEqual([500, 1_000]);
    await expectMoneyToAgree(keeping);
  });

  test('is not given for what a later upgrade, which is being paid for, has counted as paid', async ({
    keeping,
  }) => {
    const it = await anAdjustable(keeping, { unitPrice: 1_000, token: 'sandbox_slow' });
    await it.toDay(0.01);
    await it.adjust([{ priceId: await it.monthly(400) }]);
    await it.toDay(0.02);
    await it.adjust([{ priceId: await it.monthly(1_100) }], {}, AbortSignal.timeout(0));
    await it.toDay(0.5);
    const charged = (await it.charges()).reduce((sum, { amount }) => sum + amount, 0);
    expect(charged - (await balanceOf(it))).toBe(1_099);
  });

  test.for([
    ['sandbox_success', 0],
    ['sandbox_requires_action', 600],
  ] as const)(
    'is given when that upgrade is not paid for in the end (%s: %i)',
    async ([token, balance], { keeping }) => {
      const it = await anAdjustable(keeping, { unitPrice: 1_000, token: 'sandbox_slow' });
      await it.toDay(0.01);
      await it.adjust([{ priceId: await it.monthly(400) }]);
      await it.toDay(0.02);
      const { id } = await it.pays(token);
      const sql = 'update subscription set default_payment_method_id = ? where id = ?';
      await it.fresh().em.execute(sql, [id, it.id]);
      const upgrade = [{ priceId: await it.monthly(1_100) }];
      await it.adjust(upgrade, {}, AbortSignal.timeout(500));
      await it.toDay(1);
      expect(await balanceOf(it)).toBe(balance);
    },
  );

  test.for([
    ['sandbox_requires_action', 0],
    ['sandbox_slow', 899],
  ] as const)(
    'continues with it into a new period, and comes once it is paid (%s: %i)',
    async ([token, balance], { keeping }) => {
      const it = await anAdjustable(keeping, { unitPrice: 1_000, token });
      await it.toDay(0.01);
      await it.adjust([{ priceId: await weekly(it, 500) }]);
      await it.toDay(0.02);
      await it.adjust([{ priceId: await weekly(it, 100) }]);
      expect(await balanceOf(it)).toBe(0);
      await it.toDay(1);
      expect(await balanceOf(it)).toBe(balance);
    },
  );

  test('is not given for credit that an invoice has used up and returns when it is void', async ({
    keeping,
  }) => {
    const it = await anAdjustable(keeping, { unitPrice: 1_000 });
    await it.toDay(1);
    await it.pays('sandbox_requires_action', { default: true });
    await setBalance(it, 300);
    await it.toDay(30);
    await it.adjust([{ priceId: await it.monthly(200) }]);
    await it.toDay(30.5);
    await voidInvoice(it.fresh(), { id: await openInvoice(it) });
    expect(await balanceOf(it)).toBe(300);
    await expectMoneyToAgree(it.fresh());
  });
});

describe('what is carried into the period of a new interval', () => {
  const turned = async (session: Session, token: string) => {
    const it = await anAdjustable(session, { unitPrice: 1_000 });
    await it.toDay(1);
    if (token !== 'sandbox_success') await it.pays(token, { default: true });
    await it.toDay(30);
    await it.adjust([{ priceId: await it.monthly(999) }]);
    await it.toDay(30.01);
    await it.adjust([{ priceId: await weekly(it, 500) }]);
    return it;
  };

  test('is nothing of an invoice that was voided', async ({ keeping }) => {
    const it = await turned(keeping, 'sandbox_requires_action');
    await it.toDay(30.5);
    await voidInvoice(it.fresh(), { id: await openInvoice(it) });
    await it.adjust([{ priceId: await weekly(it, 100) }]);
    expect(await balanceOf(it)).toBe(0);
  });

  test('is nothing of what was refunded', async ({ keeping }) => {
    const it = await turned(keeping, 'sandbox_success');
    const before = await balanceOf(it);
    const payment = (await it.payments()).at(-1);
    await refundPayment(it.fresh(), { id: payment?.id ?? '', partialAmount: 500 });
    await it.adjust([{ priceId: await weekly(it, 100) }]);
    expect(await balanceOf(it)).toBe(before);
  });
});

describe('an adjustment that credit has paid for, before it is made', () => {
  const charged = async (session: Session) => {
    const it = await anAdjustable(session, { unitPrice: 1_000 });
    await it.toDay(15);
    await setBalance(it, 5_000);
    const newSubscriptionItems = [{ priceId: await it.monthly(3_000) }];
    const { runId } = await command(it.fresh(), async (session) => {
      const locked = await lockSubscription(session, it.id);
      const adjustment = { timing: 'immediately' as const, newSubscriptionItems };
      return chargeAdjustment(locked, await planAdjustment(locked, adjustment));
    });
    return { it, runId };
  };

  test('keeps its invoice, which cannot be voided meanwhile', async ({ session }) => {
    const { it, runId } = await charged(session);
    const invoice = (await it.invoices()).find(({ purpose }) => purpose === 'adjustment');
    await expect(voidInvoice(it.fresh(), { id: invoice?.id ?? '' })).rejects.toMatchObject(
      refused('id', /wait until that has ended/),
    );
    await executeBillingRun(it.fresh(), runId);
    expect((await it.charges()).map(({ amount }) => amount)).toEqual([1_000]);
    expect(await balanceOf(it)).toBe(4_000);
    await expectMoneyToAgree(it.fresh());
  });

  test('gives the credit back when the subscription ends first', async ({ session }) => {
    const { it, runId } = await charged(session);
    const { externalId } = await it.fresh().em.findOneOrFail(Customer, it.customer.id);
    await archiveCustomer(it.fresh(), { externalId });
    await executeBillingRun(it.fresh(), runId);
    expect(await balanceOf(it)).toBe(5_000);
    await expectMoneyToAgree(it.fresh());
  });
});
