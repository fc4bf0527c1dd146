// @module-tag long
import { describe, expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { chargeAdjustment } from '#domain/money/collection/charge-adjustment.ts';
import { archiveCustomer } from '#domain/platform/commands/customers/archive-customer.ts';
import { lockSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { planAdjustment } from '#domain/subscriptions/adjusting/plan-adjustment.ts';
import { agreedBy, type anAdjustable } from '../../../support/adjustments.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree, setCredit } from '../../../support/money.ts';
import { aCatalog, aPlan, aSubscriber } from '../../../support/plans.ts';
import { test as base } from '../../../support/test.ts';
import { billsOf, use } from '../../../support/usage.ts';

/** The ledgers and the money records agree at the end of each test. */
const test = base
  .extend('catalog', ({ session }) => aCatalog(session))
  .extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
    onCleanup(async () => {
      await expectLedgersToAgree(session);
      await expectMoneyToAgree(session);
    });
  });

type Adjustable = Awaited<ReturnType<typeof anAdjustable>>;

const declining = 'sandbox_decline_insufficient_funds';
const succeeded = async (it: Adjustable) =>
  (await it.charges()).filter(({ status }) => status === 'succeeded').map(({ amount }) => amount);
const balanceOf = async (it: Adjustable) =>
  (await it.fresh().em.findOneOrFail(Customer, it.customer.id)).creditBalance;
const invoicesOf = async (it: Adjustable) =>
  (await it.invoices()).map(({ status, total }) => `${total} ${status}`);

/** From now on this pays, and what is owed is not tried again by that. */
const payWithOnly = async (it: Adjustable, token: string) =>
  it
    .fresh()
    .em.execute('update subscription set default_payment_method_id = ? where id = ?', [
      (await it.pays(token)).id,
      it.id,
    ]);

/**
 * A subscription whose second period could not be paid, with what it used in the first one and what credit there
 * was, and the present; from then on `token` pays.
 */
async function anUnpaid(
  session: Session,
  catalog: Awaited<ReturnType<typeof aCatalog>>,
  { unitPrice = 5_000, used = 0, credit = 0, token = 'sandbox_success', day = 45 } = {},
) {
  const it = await aSubscriber(session, catalog, [await aPlan(session, { unitPrice })]);
  if (used > 0) await use(it.fresh(), it, used);
  await it.pays(declining, { default: true });
  await setCredit(it.fresh(), it.customer.id, credit);
  await it.toDay(30);
  await payWithOnly(it, token);
  await it.moveClockAlone(day);
  return it;
}

/** Every invoice explains itself. */
async function expectToBeExplained(it: Adjustable) {
  for (const { id } of await it.invoices()) {
    expect(await explainInvoice(it.fresh(), id)).toMatchObject({ differences: [], verified: true });
  }
}

describe('an invoice of the period that could not be paid', () => {
  test('is void when an adjustment leaves nothing to be paid', async ({ session, catalog }) => {
    const it = await anUnpaid(session, catalog, { credit: 7, day: 30 });
    expect(await it.current()).toMatchObject({ status: 'past_due' });
    const items = [{ priceId: await it.monthly(0) }];
    expect(await it.preview(items)).toMatchObject({ prorationAmount: 0, amountDue: 0 });
    await it.adjust(items);
    expect(await it.current()).toMatchObject({ status: 'active' });
    expect(await balanceOf(it)).toBe(7);
    expect((await it.runs()).at(-1)).toMatchObject({ status: 'aborted', dueAt: null });
    await it.toDay(59);
    expect(await invoicesOf(it)).toEqual(['5000 paid', '5000 void']);
    expect(await succeeded(it)).toEqual([5_000]);
    await it.toDay(61);
    expect(await it.current()).toMatchObject({ status: 'active' });
    expect(await succeeded(it)).toEqual([5_000]);
  });

  test.for([1, 2_999, 3_000, 4_000])(
    'of which a credit of %i has been paid is replaced, and the credit pays for the adjustment',
    async (credit, { session, catalog }) => {
      const it = await anUnpaid(session, catalog, { credit });
      const items = [{ priceId: await it.monthly(1_000) }];
      const amountDue = Math.max(0, 3_000 - credit);
      expect(await it.preview(items)).toMatchObject({ prorationAmount: 3_000, amountDue });
      await it.adjust(items);
      expect(await invoicesOf(it)).toEqual(['5000 paid', '5000 void', '3000 paid']);
      expect(await balanceOf(it)).toBe(Math.max(0, credit - 3_000));
      expect(await it.current()).toMatchObject({ status: 'active' });
      await it.toDay(59);
      expect(await succeeded(it)).toEqual(amountDue > 0 ? [5_000, amountDue] : [5_000]);
      await expectToBeExplained(it);
    },
  );

  test.for([1, 4_000])(
    'stays as it was when the adjustment cannot be paid for either, with %i of credit',
    async (credit, { session, catalog }) => {
      const it = await anUnpaid(session, catalog, { credit, token: declining });
      const [before, unpaid] = [await agreedBy(session, it.customer.id), (await it.invoices())[1]];
      const adjusting = it.adjust([{ priceId: await it.monthly(9_000) }]);
      await expect(adjusting).rejects.toThrow('insufficient_funds');
      expect(await agreedBy(session, it.customer.id)).toEqual(before);
      const { status, subtotal, total, creditApplied } = unpaid ?? {};
      const invoice = { status, subtotal, total, creditApplied };
      expect((await it.invoices())[1]).toMatchObject({ ...invoice, status: 'open', total: 5_000 });
      await expectToBeExplained(it);
    },
  );

  test.for([
    ['canceled', [5_000], 40],
    ['taken all the same', [5_000, 2_960], 3_000],
  ] as const)(
    'has its credit back when the subscription ends before the adjustment is paid for, and the charge is %s',
    async ([how, charges, credit], { session, catalog }) => {
      const it = await anUnpaid(session, catalog, { credit: 40, token: 'sandbox_slow' });
      await it.adjust([{ priceId: await it.monthly(1_000) }]);
      expect(await balanceOf(it)).toBe(0);
      if (how !== 'canceled') {
        const taken = { status: 'succeeded' } as const;
        await it.fresh().em.nativeUpdate(SandboxCharge, { status: 'processing' }, taken);
      }
      await archiveCustomer(it.fresh(), { externalId: it.customer.externalId });
      await it.toDay(46);
      expect(await succeeded(it)).toEqual(charges);
      const applied = (await it.invoices()).map(({ creditApplied }) => creditApplied);
      // The payment for an adjustment that is not made goes to the balance, whatever its method.
      expect((await balanceOf(it)) + (applied[1] ?? 0)).toBe(credit);
      expect((await it.current()).transitionDueAt).toBe(null);
    },
  );

  test('is not tried again while credit pays for the adjustment, whichever process executes it', async ({
    session,
    catalog,
  }) => {
    const it = await anUnpaid(session, catalog, { credit: 4_000, day: 40 });
    const priceId = await it.monthly(1_000);
    // As if the process had been killed once it has written down what is to be charged.
    await command(it.fresh(), async (session) => {
      const locked = await lockSubscription(session, it.id);
      const newSubscriptionItems = [{ priceId }];
      const plan = await planAdjustment(locked, { timing: 'immediately', newSubscriptionItems });
      return chargeAdjustment(locked, plan);
    });
    await it.toDay(41);
    const worth = Math.round((5_000 * 10) / 30) + Math.round((1_000 * 20) / 30);
    expect(await invoicesOf(it)).toEqual(['5000 paid', '5000 void', `${worth} paid`]);
    expect(await balanceOf(it)).toBe(4_000 - worth);
    await it.toDay(59);
    expect(await succeeded(it)).toEqual([5_000]);
  });

  test('with usage on it stays, is tried again by itself and counts as being paid for', async ({
    session,
    catalog,
  }) => {
    const it = await anUnpaid(session, catalog, { used: 100 });
    expect(await it.preview([{ priceId: await it.monthly(1_000) }])).toMatchObject({
      prorationAmount: 0,
      amountDue: 0,
    });
    await it.adjust([{ priceId: await it.monthly(6_000) }]);
    await it.toDay(59);
    expect(await invoicesOf(it)).toEqual(['5000 paid', '5020 paid', '500 paid']);
    expect((await succeeded(it)).sort()).toEqual([500, 5_000, 5_020]);
    expect(await billsOf(session, it)).toEqual(['100 cost 20, paid']);
    await expectToBeExplained(it);
  });
});
