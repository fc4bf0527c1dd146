// @module-tag long
import { describe, expect } from 'vitest';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { setDefaultPaymentMethod } from '#domain/money/commands/payment-methods/default-payment-method.ts';
import { archiveCustomer } from '#domain/platform/commands/customers/archive-customer.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree, setCredit } from '../../../support/money.ts';
import { aTimeline } from '../../../support/money-timeline.ts';
import { aCatalog } from '../../../support/plans.ts';
import { testAlone } from '../../../support/test.ts';
import { use } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations');

type Timeline = Awaited<ReturnType<typeof aTimeline>>;

const cancelNow = (timeline: Timeline, id: string) =>
  cancelSubscription(timeline.fresh(), { id, cancellation: { timing: 'immediately' } });

const paymentsOf = async (timeline: Timeline) =>
  (await timeline.payments()).map(({ amount, status }) => `${amount} ${status}`);

const invoicesOf = async (timeline: Timeline) =>
  (await timeline.invoices()).map(({ total, status }) => `${total} ${status}`);

/** The amount that the processor has taken and not refunded, in minor units. */
const takenOf = async (timeline: Timeline) =>
  (await timeline.charges())
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, { amount, refunded }) => sum + amount - refunded, 0);

/** A subscription for 2,000 a month, of which the first is paid and the second is being paid since day 31. */
async function aSlowPayer(session: Session, { used = 0, credit = 0 } = {}) {
  const catalog = await aCatalog(session);
  const timeline = await aTimeline(session);
  await timeline.pays('sandbox_success');
  const { id } = await timeline.subscribes({ unitPrice: 2_000 });
  if (used > 0) await use(timeline.fresh(), { id, slug: catalog.meter.slug }, used);
  await timeline.pays('sandbox_slow', { default: true });
  await setCredit(timeline.fresh(), timeline.customer.id, credit);
  await timeline.toDay(31);
  return { ...timeline, id };
}

/** The processor takes the money of what is under way, before anybody asks it again. */
async function takeMoney(timeline: Timeline) {
  const { em } = timeline.fresh();
  for (const charge of await timeline.charges()) {
    if (charge.status !== 'processing') continue;
    (await em.findOneOrFail(SandboxCharge, charge.idempotencyKey)).status = 'succeeded';
  }
  await em.flush();
}

const balanceOf = async ({ fresh, customer }: Timeline) =>
  (await fresh().em.findOneOrFail(Customer, customer.id)).creditBalance;

describe('a subscription that ends at once while its first payment is under way', () => {
  test.for([
    ['by the customer’s default', false],
    ['by a payment method that is named', true],
  ] as const)(
    'cancels that payment at the processor, %s, and takes no money',
    async ([_, named], { session }) => {
      const timeline = await aTimeline(session);
      const { id: defaultPaymentMethodId } = await timeline.pays('sandbox_slow');
      const { id } = await timeline.subscribes({
        unitPrice: 2_000,
        ...(named && { defaultPaymentMethodId }),
      });
      await cancelNow(timeline, id);
      expect(await paymentsOf(timeline)).toEqual(['2000 canceled']);
      expect(await invoicesOf(timeline)).toEqual(['2000 void']);
      await timeline.toDay(40);
      expect(await paymentsOf(timeline)).toEqual(['2000 canceled']);
      expect(await takenOf(timeline)).toBe(0);
      await expectMoneyToAgree(session);
    },
  );
});

describe('a subscription that ends at once while a later payment is under way', () => {
  test('cancels that payment, and what it was for is void', async ({ session }) => {
    const it = await aSlowPayer(session, { credit: 300 });
    expect(await paymentsOf(it)).toEqual(['2000 succeeded', '1700 processing']);
    await cancelNow(it, it.id);
    await it.toDay(80);
    expect(await paymentsOf(it)).toEqual(['2000 succeeded', '1700 canceled']);
    expect(await invoicesOf(it)).toEqual(['2000 paid', '2000 void']);
    expect(await balanceOf(it)).toBe(300);
    expect((await it.runs()).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    await expectMoneyToAgree(session);
  });

  test('refunds the money that has been taken all the same, but for what was used', async ({
    session,
  }) => {
    const it = await aSlowPayer(session, { used: 1_000, credit: 2_050 });
    expect(await paymentsOf(it)).toEqual(['2000 succeeded', '150 processing']);
    await takeMoney(it);
    await cancelNow(it, it.id);
    expect(await paymentsOf(it)).toEqual(['2000 succeeded', '150 refunded']);
    // 200 of 2,200 were used; of the 2,000 that come back the credit had paid all but 150.
    expect(await balanceOf(it)).toBe(1_850);
    expect(await takenOf(it)).toBe(2_000);
    await expectLedgersToAgree(session);
    await expectMoneyToAgree(session);
  });

  test('refunds all of it without usage, also when the customer is archived', async ({
    session,
  }) => {
    const it = await aSlowPayer(session);
    await takeMoney(it);
    await archiveCustomer(it.fresh(), { externalId: it.customer.externalId });
    expect(await paymentsOf(it)).toEqual(['2000 succeeded', '2000 refunded']);
    expect(await invoicesOf(it)).toEqual(['2000 paid', '2000 refunded']);
    await expectMoneyToAgree(session);
  });

  test('keeps what was used on an invoice that stays open', async ({ session }) => {
    const it = await aSlowPayer(session, { used: 1_000 });
    await cancelNow(it, it.id);
    await it.toDay(80);
    expect(await paymentsOf(it)).toEqual(['2000 succeeded', '2200 canceled']);
    expect(await invoicesOf(it)).toEqual(['2000 paid', '2200 open']);
    await expectLedgersToAgree(session);
  });

  test('tries no backup payment method when that payment fails after the end', async ({
    session,
  }) => {
    const timeline = await aTimeline(session);
    await timeline.pays('sandbox_success');
    const backup = await timeline.pays('sandbox_success');
    const { id } = await timeline.subscribes({
      unitPrice: 2_000,
      backupPaymentMethodId: backup.id,
    });
    await timeline.pays('sandbox_requires_action', { default: true });
    await timeline.toDay(31);
    const { em } = timeline.fresh();
    for (const charge of await em.find(SandboxCharge, { status: 'requires_action' })) {
      charge.status = 'failed';
    }
    await em.flush();
    await cancelNow(timeline, id);
    await timeline.toDay(40);
    expect(await paymentsOf(timeline)).toEqual(['2000 succeeded', '2000 failed']);
    expect(await invoicesOf(timeline)).toEqual(['2000 paid', '2000 void']);
  });

  test('keeps the payment of a period that has been delivered in full', async ({ session }) => {
    const timeline = await aTimeline(session);
    await timeline.pays('sandbox_success');
    const { id } = await timeline.subscribes({ unitPrice: 2_000 });
    const declining = await timeline.pays('sandbox_decline_expired_card', { default: true });
    await timeline.toDay(60);
    const owed = (await timeline.invoices())[1];
    const slow = await timeline.pays('sandbox_slow');
    await payInvoice(timeline.fresh(), { id: owed?.id ?? '', paymentMethodId: slow.id });
    await setDefaultPaymentMethod(timeline.fresh(), { id: declining.id });
    await cancelNow(timeline, id);
    await timeline.toDay(61);
    const paid = await timeline.fresh().em.find(Payment, { status: 'succeeded' });
    expect(paid.filter(({ customerId }) => customerId === timeline.customer.id)).toHaveLength(2);
    expect((await timeline.invoices())[1]).toMatchObject({ status: 'paid' });
    await expectMoneyToAgree(session);
  });
});
