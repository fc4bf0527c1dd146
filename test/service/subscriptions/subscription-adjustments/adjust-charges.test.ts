// @module-tag long
import { describe, expect } from 'vitest';
import { voidInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { anAdjustable, shown } from '../../../support/adjustments.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { test } from '../../../support/test.ts';

type Adjustable = Awaited<ReturnType<typeof anAdjustable>>;

/** Half way through a period of 30 days that has been paid for. */
const halfWay = async (it: Adjustable) => {
  await it.toDay(15);
  return it;
};

const amounts = async (it: Adjustable) => (await it.charges()).map(({ amount }) => amount);

/** From now on this pays, and what is owed is not tried again by that. */
const payWithOnly = (it: Adjustable, id: string) =>
  it
    .fresh()
    .em.execute('update subscription set default_payment_method_id = ? where id = ?', [id, it.id]);

describe('half way through a period', () => {
  test.for([
    [999, [4_999], 2_001],
    [999, [999, 2_000], 1_001],
    [999, [2_999], 1_001],
    [4_999, [999], 0],
    [2_000, [0], 0],
    [10_000, [20_000], 5_000],
  ] as const)('%i becomes %j for %i more', async ([unitPrice, wanted, charge], { session }) => {
    const it = await halfWay(await anAdjustable(session, { unitPrice }));
    const items = [];
    for (const unitPrice of wanted) items.push({ priceId: await it.monthly(unitPrice) });
    expect(await it.preview(items)).toMatchObject({
      prorationAmount: charge,
      amountDue: charge,
      creditAmount: 0,
      percentThroughBillingPeriod: 0.5,
    });
    const { subscriptionItems } = await it.adjust(items);
    expect(shown(subscriptionItems)).toEqual(
      shown(wanted.map((unitPrice) => ({ unitPrice, quantity: 1 }))),
    );
    expect(await amounts(it)).toEqual(charge > 0 ? [unitPrice, charge] : [unitPrice]);
    await expectMoneyToAgree(session);
  });

  test('two items become one, for what is left of it', async ({ session }) => {
    const it = await anAdjustable(session, { unitPrice: 1_999 });
    const [first] = await it.items();
    await it.adjust([{ id: first?.id }, { priceId: await it.monthly(999) }]);
    await halfWay(it);
    await it.adjust([{ priceId: await it.monthly(4_999) }]);
    expect(await amounts(it)).toEqual([1_999, 999, 1_001]);
    await expectMoneyToAgree(session);
  });

  test('nothing is charged without proration, and the items change at once', async ({
    session,
  }) => {
    const it = await halfWay(await anAdjustable(session));
    const items = [{ priceId: await it.monthly(2_000) }];
    const options = { prorateCurrentBillingPeriod: false };
    expect(await it.preview(items, options)).toMatchObject({ prorationAmount: 0, canAdjust: true });
    const { subscriptionItems } = await it.adjust(items, options);
    expect(shown(subscriptionItems)).toEqual(['2000×1']);
    expect(await amounts(it)).toEqual([1_000]);
    expect(await it.invoices()).toHaveLength(1);
    await it.toDay(31);
    expect(await amounts(it)).toEqual([1_000, 2_000]);
    await expectMoneyToAgree(session);
  });

  test('what could not be paid is charged for once, together with the rest', async ({
    session,
  }) => {
    const it = await anAdjustable(session, { unitPrice: 999 });
    await it.pays('sandbox_decline_insufficient_funds', { default: true });
    await it.toDay(31);
    expect(await it.current()).toMatchObject({ status: 'past_due' });
    const good = await it.pays('sandbox_success');
    await payWithOnly(it, good.id);
    await it.moveClockAlone(45);
    await it.adjust([{ priceId: await it.monthly(4_999) }]);
    expect(await it.current()).toMatchObject({ status: 'active' });
    expect((await it.invoices()).map(({ status, total }) => [status, total])).toEqual([
      ['paid', 999],
      ['void', 999],
      ['paid', 3_000],
    ]);
    await it.toDay(59);
    expect(
      (await it.charges())
        .filter(({ status }) => status === 'succeeded')
        .map(({ amount }) => amount),
    ).toEqual([999, 3_000]);
    await expectMoneyToAgree(session);
  });

  test('a period that is unpaid is charged for as a whole', async ({ session }) => {
    const it = await anAdjustable(session, { unitPrice: 1_500 });
    await it.pays('sandbox_decline_insufficient_funds', { default: true });
    await it.toDay(31);
    const [, unpaid] = await it.invoices();
    await voidInvoice(it.fresh(), { id: unpaid?.id ?? '' });
    await payWithOnly(it, (await it.pays('sandbox_success')).id);
    await it.toDay(45);
    const items = [{ priceId: await it.monthly(2_500) }];
    expect(await it.preview(items)).toMatchObject({ prorationAmount: 2_000 });
    await it.adjust(items);
    expect(await it.current()).toMatchObject({ status: 'active' });
    await expectMoneyToAgree(session);
  });

  test('tax comes on top of what is charged, and what was paid counts without it', async ({
    session,
  }) => {
    await updateOrganization(session, {
      organization: { taxType: 'vat', taxRatePercentage: '20' },
    });
    const it = await halfWay(await anAdjustable(session));
    const items = [{ priceId: await it.monthly(2_000) }];
    expect(await it.preview(items)).toMatchObject({ prorationAmount: 500, amountDue: 600 });
    await it.adjust(items);
    expect(await amounts(it)).toEqual([1_200, 600]);
    await expectMoneyToAgree(session);
  });

  test('what has gone back in part counts as paid all the same', async ({ session }) => {
    const it = await anAdjustable(session);
    const [payment] = await it.payments();
    await refundPayment(it.fresh(), { id: payment?.id ?? '', partialAmount: 400 });
    await halfWay(it);
    await it.adjust([{ priceId: await it.monthly(2_000) }]);
    expect(await amounts(it)).toEqual([1_000, 500]);
  });

  test('a trial costs nothing, whatever the plan', async ({ session }) => {
    const it = await anAdjustable(session, { trialDays: 10 });
    await it.toDay(5);
    const items = [{ priceId: await it.monthly(2_000) }];
    expect(await it.preview(items)).toMatchObject({ prorationAmount: 0, isUpgrade: true });
    expect((await it.adjust(items)).subscription).toMatchObject({ status: 'trialing' });
    await it.toDay(11);
    expect(await amounts(it)).toEqual([2_000]);
    await expectMoneyToAgree(session);
  });
});

describe('what changed without proration', () => {
  const silently = { prorateCurrentBillingPeriod: false };

  test('is not charged for by a later adjustment', async ({ session }) => {
    const it = await anAdjustable(session);
    const [base] = await it.items();
    await it.toDay(10);
    await it.adjust([{ id: base?.id }, { priceId: await it.monthly(5_000) }], silently);
    await it.toDay(15);
    const [, added] = await it.items();
    const kept = [{ id: base?.id }, { id: added?.id }];
    expect(await it.preview([{ ...kept[0], name: 'Renamed' }, { id: added?.id }])).toMatchObject({
      amountDue: 0,
    });
    const items = [...kept, { priceId: await it.monthly(10) }];
    expect(await it.preview(items)).toMatchObject({ prorationAmount: 5 });
    await it.adjust(items);
    await it.adjust([{ priceId: await it.monthly(3_000) }]);
    expect(await amounts(it)).toEqual([1_000, 5]);
    await it.toDay(31);
    expect(await amounts(it)).toEqual([1_000, 5, 3_000]);
    await expectMoneyToAgree(session);
  });

  test('is not credited by a later adjustment', async ({ session }) => {
    await updateOrganization(session, { organization: { prorationCredit: 'balance' } });
    const it = await anAdjustable(session, { unitPrice: 3_000 });
    await it.toDay(10);
    await it.adjust([{ priceId: await it.monthly(1_000) }], silently);
    await it.toDay(15);
    const [, item] = await it.items();
    const items = [{ id: item?.id, name: 'Renamed' }];
    expect(await it.preview(items)).toMatchObject({ prorationAmount: 0, creditAmount: 0 });
    await it.adjust(items);
    // Only what becomes cheaper still comes back.
    expect(await it.preview([{ id: item?.id, unitPrice: 600 }])).toMatchObject({
      creditAmount: 200,
    });
  });
});
