// @module-tag long
import { describe, expect } from 'vitest';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Dispute } from '#domain/model/money/dispute.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import { Refund } from '#domain/model/money/refund.ts';
import { Event } from '#domain/model/platform/event.ts';
import { chargeAgain } from '#domain/money/collection/apply-method.ts';
import { applyNotice } from '#domain/money/collection/apply-notice.ts';
import { chargePayment } from '#domain/money/collection/charge-payment.ts';
import { executeDueRunsOf } from '#domain/money/collection/execute-billing-run.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import {
  findSandboxConfirmation,
  findSandboxPage,
} from '#domain/money/commands/payments/sandbox-page-session.ts';
import { submitSandboxPage } from '#domain/money/commands/payments/submit-sandbox-page.ts';
import { lockPaymentMethod } from '#domain/money/methods/make-default.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { aTimeline } from '../../../support/money-timeline.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

type Timeline = Awaited<ReturnType<typeof aTimeline>>;

/** A subscription of 1,000 a month whose first month is paid, and whose later months a token pays. */
async function aRenewal(session: Session, token: string) {
  const timeline = await aTimeline(session);
  await timeline.pays('sandbox_success');
  const { id } = await timeline.subscribes();
  const method = await timeline.pays(token, { default: true });
  return { timeline, id, method };
}

const lastOf = async (timeline: Timeline) => (await timeline.payments()).at(-1) as Payment;

const referenceOf = (url: string | null | undefined) => url?.split('/').at(-1) ?? '';

/** Submits the page of a payment as its customer. */
async function onPage({ fresh }: Timeline, url: string, token: string) {
  const page = await findSandboxPage(fresh().em, referenceOf(url), fresh().now);
  if (!page) throw new Error(`There is no page ${url}`);
  return submitSandboxPage(page, { token, type: 'card', confirms: true });
}

async function typesOf({ fresh }: Timeline, objectId: string) {
  const events = await fresh().em.find(Event, { objectId }, { orderBy: { position: 'asc' } });
  return events.map(({ type }) => type);
}

describe('a decline', () => {
  test.for([
    ['sandbox_decline_hard', 'hard', 'lost_card', 'do_not_try_again'],
    ['sandbox_decline_card_data', 'card_data', 'incorrect_cvc', 'confirm_card_data'],
  ] as const)(
    'by %s is not repeated with that payment method, and a new one is charged at once',
    async ([token, failureKind, declineCode, adviceCode], { session }) => {
      const { timeline, id } = await aRenewal(session, token);
      await timeline.toDay(38);
      expect(await lastOf(timeline)).toMatchObject({ failureKind, declineCode, adviceCode });
      expect(await timeline.payments()).toHaveLength(2);
      expect(await timeline.subscription(id)).toMatchObject({ status: 'past_due' });
      await timeline.pays('sandbox_success', { default: true });
      expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
      expect(await timeline.payments()).toHaveLength(3);
      await expectMoneyToAgree(session);
    },
  );

  test('of the card’s data is repeated at once when the data change', async ({ session }) => {
    const { timeline, id, method } = await aRenewal(session, 'sandbox_decline_card_data');
    await timeline.toDay(32);
    await command(timeline.fresh(), async (session) => {
      const locked = await lockPaymentMethod(session, method.id);
      await chargeAgain(locked.session, locked.method);
    });
    await executeDueRunsOf(timeline.fresh(), timeline.customer.id);
    expect(await timeline.payments()).toHaveLength(3);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'past_due' });
  });

  test('for good ends as the organization states, after the same days', async ({ session }) => {
    const { timeline, id } = await aRenewal(session, 'sandbox_decline_hard');
    await timeline.toDay(45);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'unpaid' });
    expect(await timeline.payments()).toHaveLength(2);
  });

  test('of the request itself duns nobody, and is repeated less and less often', async ({
    session,
  }) => {
    const { timeline, id } = await aRenewal(session, 'sandbox_decline_configuration');
    await timeline.toDay(31.5);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
    const runs = await timeline.runs();
    expect(runs.at(-1)).toMatchObject({ status: 'started', attemptNumber: 1 });
    expect(await timeline.payments()).toHaveLength(1 + 4);
    const payment = await lastOf(timeline);
    expect(await typesOf(timeline, payment.id)).toEqual([
      'payment.created',
      'payment.misconfigured',
    ]);
    await timeline.pays('sandbox_success', { default: true });
    await timeline.toDay(33);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
    expect((await timeline.invoices()).at(-1)).toMatchObject({ status: 'paid' });
  });

  test('of the service’s key leaves the payment open, and says so once', async ({ session }) => {
    const { timeline, id } = await aRenewal(session, 'sandbox_misconfigured');
    await timeline.toDay(31.2);
    const payment = await lastOf(timeline);
    expect(payment).toMatchObject({ status: 'processing', failureKind: 'configuration' });
    expect(await typesOf(timeline, payment.id)).toEqual([
      'payment.created',
      'payment.misconfigured',
    ]);
    await timeline.toDay(32);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
  });
});

describe('a payment that needs its customer', () => {
  test('has a page, which the event, the invoice and the subscription show; paid there it is paid once', async ({
    session,
    graphql,
  }) => {
    const { timeline, id } = await aRenewal(session, 'sandbox_decline_authentication');
    await timeline.toDay(31);
    const payment = await lastOf(timeline);
    expect(payment).toMatchObject({ status: 'requires_action', actionExpiresAt: timeline.day(38) });
    expect(await typesOf(timeline, payment.id)).toEqual([
      'payment.created',
      'payment.requires_action',
    ]);
    const { data } = await graphql(
      `{ subscription(id: "${id}") { status nextStep paymentActionUrl }
         invoice(id: "${payment.invoiceId}") { status paymentActionUrl } }`,
    );
    expect(data).toEqual({
      subscription: {
        status: 'past_due',
        nextStep: 'confirm_payment',
        paymentActionUrl: payment.actionPage(),
      },
      invoice: { status: 'awaiting_payment_confirmation', paymentActionUrl: payment.actionPage() },
    });
    // Nothing is tried while the page is open.
    await timeline.toDay(33);
    expect(await timeline.payments()).toHaveLength(2);
    const actionUrl = (await lastOf(timeline)).actionPage();
    expect(actionUrl).not.toBe(payment.actionPage());
    expect(await onPage(timeline, actionUrl ?? '', 'sandbox_decline_hard')).toContain('declined');
    expect(await onPage(timeline, actionUrl ?? '', 'sandbox_success')).toBeUndefined();
    expect(await lastOf(timeline)).toMatchObject({ status: 'succeeded', actionUrl: null });
    expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
    await expectMoneyToAgree(session);
  });

  test('is canceled after the organization’s days, and dunning follows', async ({ session }) => {
    const { timeline, id } = await aRenewal(session, 'sandbox_decline_authentication');
    await timeline.toDay(38);
    expect((await timeline.payments())[1]).toMatchObject({
      status: 'canceled',
      failureCode: 'action_expired',
    });
    expect(await timeline.subscription(id)).toMatchObject({ status: 'past_due' });
    await timeline.toDay(41);
    expect(await lastOf(timeline)).toMatchObject({ status: 'requires_action' });
    await expectMoneyToAgree(session);
  });

  test.for([
    ['sandbox_action_success', 'succeeded', 'active'],
    ['sandbox_action_failure', 'failed', 'past_due'],
  ] as const)('confirms it: %s', async ([token, status, standing], { session }) => {
    const { timeline, id } = await aRenewal(session, token);
    await timeline.toDay(31);
    const actionUrl = (await lastOf(timeline)).actionPage();
    const { em, now } = timeline.fresh();
    const page = await findSandboxConfirmation(em, referenceOf(actionUrl), now);
    if (page) await submitSandboxPage(page, { token: '', type: '', confirms: true });
    expect(await lastOf(timeline)).toMatchObject({ status });
    expect(await timeline.subscription(id)).toMatchObject({ status: standing });
    await expectMoneyToAgree(session);
  });

  test('settles once when return, notice and lookup come at the same time', async ({ session }) => {
    const { timeline } = await aRenewal(session, 'sandbox_decline_authentication');
    await timeline.toDay(31);
    const last = await lastOf(timeline);
    const [paymentId, actionUrl] = [last.id, last.actionPage()];
    const reference = referenceOf(actionUrl);
    const notice = {
      object: 'payment_page',
      reference,
      paymentId: null,
      processor: 'sandbox',
    } as const;
    await Promise.all([
      onPage(timeline, actionUrl ?? '', 'sandbox_success'),
      ...Array.from({ length: 4 }, () => applyNotice(timeline.fresh(), notice)),
      ...Array.from({ length: 4 }, () =>
        chargePayment(timeline.fresh(), { paymentId, resumed: true }),
      ),
    ]);
    await applyNotice(timeline.fresh(), notice);
    expect(
      (await typesOf(timeline, paymentId)).filter((type) => type === 'payment.succeeded'),
    ).toHaveLength(1);
    expect(await timeline.payments()).toHaveLength(2);
    await expectMoneyToAgree(session);
  });
});

describe('a payment that takes days', () => {
  test.for([
    ['sandbox_processing_success', 'succeeded', 'active'],
    ['sandbox_processing_failure', 'failed', 'past_due'],
  ] as const)('%s: is processing meanwhile', async ([token, status, standing], { session }) => {
    const { timeline, id } = await aRenewal(session, token);
    await timeline.toDay(33.9);
    expect(await lastOf(timeline)).toMatchObject({ status: 'processing' });
    expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
    await timeline.toDay(34);
    expect(await lastOf(timeline)).toMatchObject({ status });
    expect(await timeline.subscription(id)).toMatchObject({ status: standing });
    await expectMoneyToAgree(session);
  });
});

describe('a refund', () => {
  const refundsOf = ({ fresh }: Timeline) =>
    fresh().em.find(Refund, {}, { orderBy: { createdAt: 'asc' } });

  test('that takes days follows the clock', async ({ session }) => {
    const { timeline } = await aRenewal(session, 'sandbox_refund_pending');
    await timeline.toDay(31);
    const { id } = await lastOf(timeline);
    expect(await refundPayment(timeline.fresh(), { id, partialAmount: 400 })).toMatchObject({
      refundedAmount: 0,
    });
    expect(await refundsOf(timeline)).toMatchObject([{ status: 'pending' }]);
    await timeline.toDay(33);
    expect(await refundsOf(timeline)).toMatchObject([
      { status: 'succeeded', settledAt: timeline.day(33) },
    ]);
    expect(await lastOf(timeline)).toMatchObject({ refundedAmount: 400, status: 'succeeded' });
  });

  test('that fails later leaves the amount to the balance, as its credit note does not change', async ({
    session,
  }) => {
    const { timeline } = await aRenewal(session, 'sandbox_refund_fails_later');
    await timeline.toDay(31);
    const { id } = await lastOf(timeline);
    await refundPayment(timeline.fresh(), { id });
    expect(await lastOf(timeline)).toMatchObject({ refundedAmount: 1_000, status: 'refunded' });
    expect((await timeline.invoices()).at(-1)).toMatchObject({ status: 'refunded' });
    await timeline.toDay(36);
    expect(await refundsOf(timeline)).toMatchObject([
      { status: 'failed', settledAt: timeline.day(31), failedAt: timeline.day(36) },
    ]);
    expect(await lastOf(timeline)).toMatchObject({
      refundedAmount: 0,
      creditedAmount: 1_000,
      status: 'succeeded',
      refunded: false,
    });
    expect((await timeline.invoices()).at(-1)).toMatchObject({ status: 'refunded' });
    const types = await typesOf(timeline, id);
    expect(types.filter((type) => type === 'payment.succeeded')).toHaveLength(1);
    await expectMoneyToAgree(session);
    await refundPayment(timeline.fresh(), { id, partialAmount: 100 });
    expect(await lastOf(timeline)).toMatchObject({ refundedAmount: 100 });
  });
});

describe('a dispute', () => {
  const disputesOf = ({ fresh }: Timeline) => fresh().em.find(Dispute, {});

  test.for([
    ['sandbox_dispute_won', 'won', 0, 'paid', 'succeeded'],
    ['sandbox_dispute_lost', 'lost', 1_000, 'uncollectible', 'succeeded'],
  ] as const)(
    'moves money and refuses refunds: %s',
    async ([token, status, reversedAmount, invoiceStatus], { session }) => {
      const { timeline } = await aRenewal(session, token);
      await timeline.toDay(32);
      const [dispute] = await disputesOf(timeline);
      expect(dispute).toMatchObject({ status: 'opened', withdrawnAmount: 1_000, fee: 1_500 });
      expect(await lastOf(timeline)).toMatchObject({ disputed: true, reversedAmount: 0 });
      const { id } = await lastOf(timeline);
      await expect(refundPayment(timeline.fresh(), { id })).rejects.toMatchObject({
        issues: [{ message: expect.stringContaining('is disputed') }],
      });
      await timeline.toDay(39);
      expect(await disputesOf(timeline)).toMatchObject([{ status, closedAt: timeline.day(39) }]);
      expect(await lastOf(timeline)).toMatchObject({ disputed: false, reversedAmount });
      expect((await timeline.invoices()).at(-1)).toMatchObject({ status: invoiceStatus });
      expect(await typesOf(timeline, dispute?.id ?? '')).toEqual([
        'dispute.created',
        'dispute.closed',
      ]);
      await expectBooksToAgree(session);
      const payments = await timeline.payments();
      await timeline.toDay(50);
      expect(await timeline.payments()).toHaveLength(payments.length);
    },
  );

  test('that is an inquiry moves no money', async ({ session }) => {
    const { timeline } = await aRenewal(session, 'sandbox_dispute_inquiry');
    await timeline.toDay(32);
    expect(await disputesOf(timeline)).toMatchObject([{ status: 'inquiry', withdrawnAmount: 0 }]);
    expect(await lastOf(timeline)).toMatchObject({ disputed: false, reversedAmount: 0 });
    await timeline.toDay(39);
    expect(await disputesOf(timeline)).toMatchObject([{ status: 'inquiry_closed' }]);
  });
});

test('a notice about an object of somebody else is no error', async ({ session }) => {
  const { timeline } = await aRenewal(session, 'sandbox_success');
  for (const object of [
    'charge',
    'refund',
    'dispute',
    'setup',
    'payment_page',
    'method',
    'customer',
    'other',
  ] as const) {
    const notice = { object, reference: 'nobody', paymentId: null, processor: 'sandbox' };
    expect(await applyNotice(timeline.fresh(), notice)).not.toBe(object);
  }
});

test('an invoice that is paid elsewhere is not charged', async ({ session }) => {
  const { timeline } = await aRenewal(session, 'sandbox_decline_insufficient_funds');
  await timeline.toDay(31);
  const open = (await timeline.invoices()).at(-1);
  const method = await timeline.pays('sandbox_decline_authentication');
  await payInvoice(timeline.fresh(), { id: open?.id ?? '', paymentMethodId: method.id });
  const { em } = timeline.fresh();
  await em.execute(`update invoice set status = 'paid' where id = ?`, [open?.id]);
  const last = await lastOf(timeline);
  const [id, actionUrl] = [last.id, last.actionPage()];
  await chargePayment(timeline.fresh(), { paymentId: id, resumed: true });
  expect(await lastOf(timeline)).toMatchObject({ status: 'canceled' });
  const page = await findSandboxPage(em, referenceOf(actionUrl), timeline.fresh().now);
  expect(page).toMatchObject({ status: 'expired' });
});
