// @module-tag long
import { describe, expect } from 'vitest';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import {
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import type { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { detachPaymentMethod } from '#domain/money/commands/payment-methods/detach-payment-method.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import { at } from '../../../support/instants.ts';
import { expectMoneyToAgree, setCredit } from '../../../support/money.ts';
import { aTimeline } from '../../../support/money-timeline.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const later = { timing: 'at_end_of_current_billing_period' } as const;

describe('when a charge of a subscription that has been paid before fails', () => {
  test('it is tried again after 3, 5 and 5 days, is past due meanwhile, and unpaid in the end', async ({
    session,
  }) => {
    const { timeline, id } = await aPayer(session, 'sandbox_decline_insufficient_funds');
    await timeline.toDay(31);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'past_due' });
    await timeline.toDay(43.9);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'past_due' });
    await timeline.toDay(44);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'unpaid', canceledAt: null });
    const tries = (await timeline.runs()).slice(1);
    expect(tries).toMatchObject(
      [31, 34, 39, 44].map((day, place) => ({
        scheduledFor: timeline.day(day),
        attemptNumber: place + 1,
        status: 'failed',
        errorDetails: 'The card has insufficient funds',
      })),
    );
    expect((await timeline.payments()).slice(1)).toMatchObject(
      [31, 34, 39, 44].map((day) => ({
        chargeDate: timeline.day(day),
        status: 'failed',
        failureCode: 'insufficient_funds',
      })),
    );
    expect(await timeline.invoices()).toMatchObject([{ status: 'paid' }, { status: 'open' }]);
    await timeline.toDay(120);
    expect(await timeline.invoices()).toHaveLength(2);
    await expectMoneyToAgree(session);
  });

  test('it is canceled in the end where the organization states so, with its invoice uncollectible', async ({
    session,
  }) => {
    await dunningOf(session, { dunningFinalAction: 'cancel' });
    const { timeline, id } = await aPayer(session, 'sandbox_decline_expired_card');
    await timeline.toDay(44);
    expect(await timeline.subscription(id)).toMatchObject({
      status: 'canceled',
      cancellationReason: 'non_payment',
      canceledAt: timeline.day(44),
    });
    expect(await timeline.invoices()).toMatchObject([
      { status: 'paid' },
      { status: 'uncollectible' },
    ]);
    expect((await timeline.subscriptions()).at(-1)).toMatchObject({
      isFreePlan: true,
      status: 'active',
    });
  });

  test('its other open invoices are given up with it, and what credit had paid of them comes back', async ({
    session,
  }) => {
    const retries = { dunningRetryDays: [30, 30], dunningFinalAction: 'cancel' } as const;
    await dunningOf(session, retries);
    const { timeline, id } = await aPayer(session, 'sandbox_decline_expired_card');
    await timeline.toDay(31);
    await setCredit(timeline.fresh(), timeline.customer.id, 300);
    await timeline.toDay(100);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'canceled' });
    expect((await timeline.invoices()).map(({ status }) => status)).toEqual([
      'paid',
      'uncollectible',
      'uncollectible',
      'uncollectible',
    ]);
    const { creditBalance } = await timeline
      .fresh()
      .em.findOneOrFail(Customer, timeline.customer.id);
    expect(creditBalance).toBe(300);
    expect((await timeline.runs()).filter(({ isOpen }) => isOpen)).toEqual([]);
    await expectMoneyToAgree(session);
  });

  test('the organization’s own pauses count', async ({ session }) => {
    await dunningOf(session, { dunningRetryDays: [1], dunningFinalAction: 'unpaid' });
    const { timeline, id } = await aPayer(session, 'sandbox_decline_expired_card');
    await timeline.toDay(32);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'unpaid' });
    expect((await timeline.runs()).slice(1)).toHaveLength(2);
  });

  test('the backup is charged in the same run, once, and the invoice is paid', async ({
    session,
  }) => {
    const { timeline, id } = await aPayer(
      session,
      'sandbox_decline_expired_card',
      'sandbox_success',
    );
    await timeline.toDay(31);
    const [, failed, paid, ...more] = await timeline.payments();
    expect(more).toEqual([]);
    expect(failed).toMatchObject({ status: 'failed' });
    expect(paid).toMatchObject({ status: 'succeeded', billingRunId: failed?.billingRunId });
    expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
    expect(await timeline.invoices()).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
    await expectMoneyToAgree(session);
  });

  test('a backup that fails as well leads to a retry, in which both have their turn', async ({
    session,
  }) => {
    const { timeline } = await aPayer(
      session,
      'sandbox_decline_expired_card',
      'sandbox_decline_then_success',
    );
    await timeline.toDay(31);
    expect((await timeline.payments()).slice(1)).toMatchObject([
      { failureCode: 'expired_card' },
      { failureCode: 'insufficient_funds' },
    ]);
    await timeline.toDay(34);
    expect((await timeline.payments()).slice(3)).toMatchObject([
      { failureCode: 'expired_card' },
      { status: 'succeeded' },
    ]);
    await expectMoneyToAgree(session);
  });

  test('a new default payment method is charged at once, and nothing is tried later', async ({
    session,
  }) => {
    const { timeline, id } = await aPayer(session, 'sandbox_decline_expired_card');
    await timeline.toDay(32);
    await timeline.pays('sandbox_success', { default: true });
    expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
    expect((await timeline.payments()).at(-1)).toMatchObject({
      status: 'succeeded',
      chargeDate: timeline.day(32),
    });
    await timeline.toDay(50);
    expect(await timeline.payments()).toHaveLength(3);
    await expectMoneyToAgree(session);
  });

  test('a new default pays all that is owed, also of earlier periods and after the last try', async ({
    session,
  }) => {
    const { timeline, id } = await aPayer(session, 'sandbox_decline_expired_card');
    await timeline.toDay(70);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'unpaid' });
    await timeline.pays('sandbox_success', { default: true });
    expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
    expect(await timeline.invoices()).toMatchObject([
      { status: 'paid', billingPeriodStartDate: timeline.day(0) },
      { status: 'paid', billingPeriodStartDate: timeline.day(31) },
      { status: 'paid', billingPeriodStartDate: timeline.day(59) },
    ]);
    await expectMoneyToAgree(session);
  });

  test('a payment by hand ends the retries', async ({ session }) => {
    const { timeline, id } = await aPayer(session, 'sandbox_decline_expired_card');
    await timeline.toDay(32);
    const other = await timeline.pays('sandbox_success', { default: false });
    const [, owed] = await timeline.invoices();
    await payInvoice(timeline.fresh(), { id: owed?.id ?? '', paymentMethodId: other.id });
    expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
    expect((await timeline.runs()).at(-1)).toMatchObject({
      status: 'aborted',
      errorDetails: 'The invoice has been paid',
    });
  });

  test('a retry waits for a payment by hand that is on its way, and continues when that fails', async ({
    session,
  }) => {
    const { timeline } = await aPayer(session, 'sandbox_decline_then_success');
    await timeline.toDay(33.9);
    const hand = await timeline.pays('sandbox_requires_action', { default: false });
    const [, owed] = await timeline.invoices();
    await payInvoice(timeline.fresh(), { id: owed?.id ?? '', paymentMethodId: hand.id });
    await timeline.toDay(34);
    expect((await timeline.runs()).at(-1)).toMatchObject({ status: 'started' });
    await timeline.toDay(35);
    expect((await timeline.payments()).slice(1)).toMatchObject([
      { failureCode: 'insufficient_funds' },
      { failureCode: 'payment_timeout' },
      { status: 'succeeded' },
    ]);
    await expectMoneyToAgree(session);
  });

  test('without any payment method the run fails and states why', async ({ session }) => {
    const { timeline, id, method } = await aPayer(session, 'sandbox_success');
    await timeline.toDay(30);
    const backup = await timeline.pays('sandbox_decline_expired_card', { default: true });
    await timeline.toDay(31);
    for (const one of [method, backup]) await detachPaymentMethod(timeline.fresh(), one);
    await timeline.toDay(34);
    expect((await timeline.runs()).at(-2)).toMatchObject({
      status: 'failed',
      errorDetails: 'There is no payment method to charge',
    });
    expect(await timeline.subscription(id)).toMatchObject({ status: 'past_due' });
  });

  test('taking a cancellation back charges for what is owed', async ({ session }) => {
    const { timeline, id } = await aPayer(session, 'sandbox_decline_then_success');
    await timeline.toDay(32);
    await cancelSubscription(timeline.fresh(), { id, cancellation: later });
    await timeline.toDay(40);
    await uncancelSubscription(timeline.fresh(), { id });
    expect(await timeline.subscription(id)).toMatchObject({ status: 'past_due' });
    await timeline.toDay(41);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
    expect(await timeline.invoices()).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
    await expectMoneyToAgree(session);
  });
});

describe('an open invoice that is voided by hand', () => {
  test.for([
    ['void', voidInvoice],
    ['uncollectible', markInvoiceUncollectible],
  ] as const)(
    'leaves the subscription active when it is %s, once nothing else is owed',
    async ([status, take], { session }) => {
      const { timeline, id } = await aPayer(session, 'sandbox_decline_expired_card');
      await timeline.toDay(32);
      expect(await timeline.subscription(id)).toMatchObject({ status: 'past_due' });
      const owed = (await timeline.invoices())[1];
      await take(timeline.fresh(), { id: owed?.id ?? '' });
      expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
      await timeline.toDay(50);
      expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
      expect((await timeline.invoices()).map(({ status }) => status)).toEqual(['paid', status]);
    },
  );

  test('leaves it past due while another one is open, and charges a period that was never charged for', async ({
    session,
  }) => {
    const { timeline, id } = await aPayer(session, 'sandbox_decline_expired_card');
    await timeline.toDay(70);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'unpaid' });
    const take = async (nth: number) => {
      const invoice = (await timeline.invoices())[nth];
      await voidInvoice(timeline.fresh(), { id: invoice?.id ?? '' });
    };
    await take(1);
    await timeline.pays('sandbox_success', { default: true });
    expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
    expect((await timeline.payments()).filter(({ status }) => status === 'succeeded')).toHaveLength(
      2,
    );
    await expectMoneyToAgree(session);
  });
});

/** A subscription whose first month is paid; from then on its payment method does what a token states. */
async function aPayer(session: Session, token: string, backupToken?: string) {
  const timeline = await aTimeline(session);
  const method = await timeline.pays('sandbox_success');
  const backup = backupToken ? await timeline.pays(backupToken) : null;
  const { id, status } = await timeline.subscribes({ backupPaymentMethodId: backup?.id ?? null });
  expect(status).toBe('active');
  if (token === 'sandbox_decline_then_success') {
    // Another one, since it has not been charged before.
    await timeline.pays(token, { default: true });
  } else {
    const { em } = at(session, session.now);
    (await em.findOneOrFail(PaymentMethod, method.id)).token = token;
    await em.flush();
  }
  return { timeline, id, method };
}

async function dunningOf(session: Session, settings: Partial<OrganizationSettings>) {
  const present = at(session, session.now);
  Object.assign(await settingsOf(present), settings);
  await present.em.flush();
}
