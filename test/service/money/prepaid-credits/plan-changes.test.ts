import { describe, expect } from 'vitest';
import { updateFeature } from '#domain/catalog/commands/features/update-feature.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree, setCredit } from '../../../support/money.ts';
import { aCatalog, aPlan, aSubscriber } from '../../../support/plans.ts';
import { aPrepaidCredit, creditsOf } from '../../../support/prepaid.ts';
import { test as base } from '../../../support/test.ts';

/** Whatever a test does, documents, money and books agree in the end. */
const test = base
  .extend('catalog', ({ session }) => aCatalog(session))
  .extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
    onCleanup(async () => {
      await expectLedgersToAgree(session);
      await expectMoneyToAgree(session);
    });
  });

const most = Number.MAX_SAFE_INTEGER;
const declining = 'sandbox_decline_insufficient_funds';

/**
 * A subscription of which the invoice over 5000 for the second period could not be paid, except for 100 of a credit that
 * ends on the 40th day, the gift `other`, and 30 of the balance. It is the 45th day, and `token` pays.
 */
async function anUnpaid(
  session: Session,
  catalog: Awaited<ReturnType<typeof aCatalog>>,
  { token = 'sandbox_success', gift = 100, other = 0 } = {},
) {
  const it = await aSubscriber(session, catalog, [await aPlan(session, { unitPrice: 5_000 })]);
  const { id: customerId } = it.customer;
  await it.pays(declining, { default: true });
  await setCredit(it.fresh(), customerId, 30);
  const expiresAt = it.day(40);
  await aPrepaidCredit(it.fresh(), customerId, { amount: gift, expiresAt });
  if (other > 0) await aPrepaidCredit(it.fresh(), customerId, { amount: other });
  await it.toDay(30);
  const { id: method } = await it.pays(token);
  const by = 'update subscription set default_payment_method_id = ? where id = ?';
  await it.fresh().em.execute(by, [method, it.id]);
  await it.moveClockAlone(45);
  const invoices = async () =>
    (await it.invoices()).map(
      ({ status, total, creditApplied, prepaidApplied }) =>
        `${total} ${status}: ${prepaidApplied} of ${creditApplied}`,
    );
  const balances = async () => {
    const found = await it.fresh().em.findOneOrFail(Customer, customerId);
    return [found.prepaidBalance, found.creditBalance];
  };
  return { ...it, credits: () => creditsOf(it.fresh(), customerId), shown: invoices, balances };
}

describe('prepaid credit that has ended and pays a part of an unpaid invoice', () => {
  test('pays the plan change that replaces the invoice, as the preview shows', async ({
    session,
    catalog,
  }) => {
    const it = await anUnpaid(session, catalog);
    expect(await it.shown()).toEqual(['5000 paid: 0 of 0', '5000 open: 100 of 130']);
    const items = [{ priceId: await it.monthly(1_000) }];
    expect(await it.preview(items)).toMatchObject({ prorationAmount: 3_000, amountDue: 2_870 });
    await it.adjust(items);
    expect(await it.shown()).toEqual([
      '5000 paid: 0 of 0',
      '5000 void: 0 of 0',
      '3000 paid: 100 of 130',
    ]);
    expect(await it.credits()).toEqual(['gift 100: 100 used']);
    const charged = (await it.charges()).filter(({ status }) => status === 'succeeded');
    expect(charged.map(({ amount }) => amount)).toEqual([5_000, 2_870]);
  });

  test('pays the invoice again when the plan change is declined', async ({ session, catalog }) => {
    const it = await anUnpaid(session, catalog, { token: declining });
    const before = [await it.shown(), await it.credits(), await it.balances()];
    await aPrepaidCredit(it.fresh(), it.customer.id, { amount: 7 });
    await expect(it.adjust([{ priceId: await it.monthly(9_000) }])).rejects.toThrow('insufficient');
    const [shown, credits] = before as [string[], string[]];
    expect((await it.shown()).slice(0, 2)).toEqual(shown);
    expect(await it.credits()).toEqual([...credits, 'gift 7: 7 left']);
    expect(await it.balances()).toEqual([7, 0]);
  });

  test('pays the invoice again when the plan change is paid but cannot be made', async ({
    session,
    catalog,
  }) => {
    const it = await anUnpaid(session, catalog, { token: 'sandbox_slow', other: 50 });
    const grown = { unitPrice: 1_000, features: [catalog.credits(100)] };
    const { priceId, featureIds } = await aPlan(it.fresh(), grown);
    await it.adjust([{ priceId, quantity: 2 }], {}, AbortSignal.timeout(0));
    expect(await it.shown()).toEqual([
      '5000 paid: 0 of 0',
      '5000 open: 0 of 0',
      '3500 awaiting_payment_confirmation: 150 of 180',
    ]);
    await updateFeature(it.fresh(), { id: featureIds[0] ?? '', feature: { amount: most } });
    await it.toDay(46);
    // The method that paid for the change pays the rest of the invoice, too.
    expect(await it.shown()).toEqual([
      '5000 paid: 0 of 0',
      '5000 paid: 150 of 180',
      '3500 paid: 150 of 180',
    ]);
    expect(await it.credits()).toEqual(['gift 100: 100 used', 'gift 50: 50 used']);
    expect(await it.balances()).toEqual([0, 3_320]);
  });

  test('returns the part that the plan change does not need, with the replaced invoice', async ({
    session,
    catalog,
  }) => {
    const it = await anUnpaid(session, catalog, { gift: 3_500, other: 50 });
    await it.adjust([{ priceId: await it.monthly(1_000) }]);
    expect(await it.shown()).toEqual([
      '5000 paid: 0 of 0',
      '5000 void: 0 of 0',
      '3000 paid: 3000 of 3000',
    ]);
    expect(await it.credits()).toEqual(['gift 3500: 3000 used, 500 expired', 'gift 50: 50 left']);
    expect(await it.balances()).toEqual([50, 30]);
  });
});
