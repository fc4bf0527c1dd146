// @module-tag long
import { describe, expect } from 'vitest';
import { createCreditNote } from '#domain/invoicing/commands/credit-notes/create-credit-note.ts';
import { createCreditNoteInput } from '#domain/invoicing/commands/credit-notes/credit-note-input.ts';
import {
  beginPayingInvoices,
  payInvoices,
} from '#domain/invoicing/commands/invoices/pay-invoices.ts';
import {
  finalizeInvoice,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Dispute } from '#domain/model/money/dispute.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import { Refund } from '#domain/model/money/refund.ts';
import { SandboxPage } from '#domain/model/money/sandbox-objects.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { applyNotice } from '#domain/money/collection/apply-notice.ts';
import { askProcessor } from '#domain/money/collection/ask-processor.ts';
import { chargePayment } from '#domain/money/collection/charge-payment.ts';
import { settlePayment } from '#domain/money/collection/settle-payment.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { findSandboxPage } from '#domain/money/commands/payments/sandbox-page-session.ts';
import { submitSandboxPage } from '#domain/money/commands/payments/submit-sandbox-page.ts';
import { recordPayment } from '#domain/money/commands/remittances/record-payment.ts';
import { processorOf } from '#domain/money/processing/processor-of.ts';
import { firstStep } from '#domain/platform/idempotency/first-step.ts';
import { readKey } from '#domain/platform/idempotency/kept-answers.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { aDraft, allowSeveral } from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { aTimeline } from '../../../support/money-timeline.ts';
import { settleDisputeOf } from '../../../support/records/disputes.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

type Timeline = Awaited<ReturnType<typeof aTimeline>>;

/** A customer who pays with a token, and has open invoices of these amounts. */
async function aDebtor(session: Session, token: string, amounts: readonly number[]) {
  const timeline = await aTimeline(session);
  await timeline.pays(token, { default: true });
  const ids: string[] = [];
  for (const price of amounts) {
    const lines = [{ quantity: 1, price }];
    const { id } = await aDraft(session, { customerId: timeline.customer.id, lines });
    await finalizeInvoice(timeline.fresh(), { id });
    ids.push(id);
  }
  return { timeline, ids };
}

/** Two subscriptions of a customer, for 1,000 and 300, whose second invoices are charged together with a token. */
async function twoInDebt(session: Session, token: string) {
  await allowSeveral(session);
  const timeline = await aTimeline(session);
  await timeline.pays('sandbox_success', { default: true });
  const { id: ended } = await timeline.subscribes({ unitPrice: 1_000 });
  await timeline.subscribes({ unitPrice: 300 });
  await timeline.pays('sandbox_decline_insufficient_funds', { default: true });
  await timeline.toDay(31.1);
  const owed = (await timeline.invoices()).filter(({ status }) => status === 'open');
  const { id: paymentMethodId } = await timeline.pays(token);
  await payInvoices(timeline.fresh(), { ids: owed.map(({ id }) => id), paymentMethodId });
  return { timeline, ended, owed };
}

const statesOf = async (timeline: Timeline) => ({
  invoices: (await timeline.invoices()).map(({ status }) => status),
  payments: (await timeline.payments()).map(({ amount, status }) => [amount, status]),
  charges: (await timeline.charges()).map(({ amount, status }) => [amount, status]),
});

async function expectAgreement(session: Session) {
  await expectMoneyToAgree(session);
  await expectBooksToAgree(session);
}

describe('one charge for several invoices', () => {
  test('is of their sum, and each invoice has a payment of its part', async ({ session }) => {
    const { timeline, ids } = await aDebtor(session, 'sandbox_success', [1_000, 250, 4]);
    const { invoices, payments } = await payInvoices(timeline.fresh(), { ids: ids.toReversed() });
    expect(invoices.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(payments.map(({ chargedAmount }) => chargedAmount)).toEqual([1_254, 250, 4]);
    expect(payments.map(({ chargedWithId }) => chargedWithId)).toEqual([
      null,
      payments[0]?.id,
      payments[0]?.id,
    ]);
    expect(await statesOf(timeline)).toEqual({
      invoices: ['paid', 'paid', 'paid'],
      payments: [
        [1_000, 'succeeded'],
        [250, 'succeeded'],
        [4, 'succeeded'],
      ],
      charges: [[1_254, 'succeeded']],
    });
    await expectAgreement(session);
  });

  test('that is declined leaves each of them open, and another one pays them', async ({
    session,
  }) => {
    const { timeline, ids } = await aDebtor(session, 'sandbox_decline_then_success', [500, 700]);
    await payInvoices(timeline.fresh(), { ids });
    expect(await statesOf(timeline)).toEqual({
      invoices: ['open', 'open'],
      payments: [
        [500, 'failed'],
        [700, 'failed'],
      ],
      charges: [[1_200, 'failed']],
    });
    await payInvoices(timeline.fresh(), { ids });
    expect((await statesOf(timeline)).invoices).toEqual(['paid', 'paid']);
    await expectAgreement(session);
  });

  test('restores each subscription that owed one of them', async ({ session }) => {
    await allowSeveral(session);
    const timeline = await aTimeline(session);
    await timeline.pays('sandbox_success', { default: true });
    await timeline.subscribes({ unitPrice: 1_000 });
    await timeline.subscribes({ unitPrice: 300 });
    await timeline.pays('sandbox_decline_insufficient_funds', { default: true });
    await timeline.toDay(32);
    const owed = (await timeline.invoices()).filter(({ status }) => status === 'open');
    expect(owed).toHaveLength(2);
    const { id: paymentMethodId } = await timeline.pays('sandbox_success');
    await payInvoices(timeline.fresh(), { ids: owed.map(({ id }) => id), paymentMethodId });
    const current = (await timeline.subscriptions()).filter((each) => each.current);
    expect(current.map(({ status }) => status)).toEqual(['active', 'active']);
    expect((await timeline.runs()).filter(({ isOpen }) => isOpen)).toEqual([]);
    expect((await timeline.charges()).at(-1)).toMatchObject({ amount: 1_300 });
    await expectAgreement(session);
  });

  test('waits as a whole for the customer, who confirms it on one page', async ({ session }) => {
    const { timeline, ids } = await aDebtor(session, 'sandbox_decline_authentication', [500, 700]);
    const { payments } = await payInvoices(timeline.fresh(), { ids });
    expect(new Set(payments.map((payment) => payment.actionPage())).size).toBe(1);
    const reference = payments[0]?.actionPage()?.split('/').at(-1) ?? '';
    const { em, now } = timeline.fresh();
    const page = await findSandboxPage(em, reference, now);
    if (!page) throw new Error('There is no page');
    expect(await em.findOneOrFail(SandboxPage, { reference })).toMatchObject({ amount: 1_200 });
    await submitSandboxPage(page, { token: 'sandbox_success', type: 'card', confirms: true });
    await applyNotice(timeline.fresh(), {
      object: 'payment_page',
      reference,
      paymentId: payments[1]?.id ?? null,
      processor: 'sandbox',
    });
    expect((await statesOf(timeline)).payments).toEqual([
      [500, 'succeeded'],
      [700, 'succeeded'],
    ]);
    await expectAgreement(session);
  });

  test('that takes days is settled as a whole by the clock', async ({ session }) => {
    const { timeline, ids } = await aDebtor(session, 'sandbox_processing_success', [500, 700]);
    const { payments } = await payInvoices(timeline.fresh(), { ids });
    // Whichever payment is looked up, the processor is asked about the one charge.
    await chargePayment(timeline.fresh(), { paymentId: payments[1]?.id ?? '', resumed: true });
    expect((await statesOf(timeline)).charges).toEqual([[1_200, 'processing']]);
    await expect(voidInvoice(timeline.fresh(), { id: ids[1] ?? '' })).rejects.toThrow();
    await expectAgreement(session);
    await timeline.toDay(3.1);
    expect((await statesOf(timeline)).invoices).toEqual(['paid', 'paid']);
    await expectAgreement(session);
  });
});

describe('a part of a charge for several invoices', () => {
  test('is refunded from the one charge, by its payment or by a credit note', async ({
    session,
  }) => {
    const { timeline, ids } = await aDebtor(session, 'sandbox_success', [500, 700]);
    await payInvoices(timeline.fresh(), { ids });
    const [first, second] = await timeline.payments();
    await refundPayment(timeline.fresh(), { id: second?.id ?? '', partialAmount: 300 });
    const note = createCreditNoteInput.parse({
      creditNote: { invoiceId: ids[1], whole: true, settle: 'refund', reason: 'other' },
    });
    await createCreditNote(timeline.fresh(), note);
    await refundPayment(timeline.fresh(), { id: first?.id ?? '' });
    expect((await statesOf(timeline)).payments).toEqual([
      [500, 'refunded'],
      [700, 'refunded'],
    ]);
    expect(await timeline.charges()).toMatchObject([{ amount: 1_200, refunded: 1_200 }]);
    await expectAgreement(session);
  });

  test('is divided where someone refunds the charge at the processor', async ({ session }) => {
    const { timeline, ids } = await aDebtor(session, 'sandbox_success', [500, 700]);
    await payInvoices(timeline.fresh(), { ids });
    const [payment] = await timeline.payments();
    const reference = await refundedAtProcessor(timeline, payment, 900);
    for (let time = 0; time < 2; time++) {
      const notice = { object: 'refund', reference, paymentId: null } as const;
      expect(await applyNotice(timeline.fresh(), { ...notice, processor: 'sandbox' })).toBe(
        'applied',
      );
    }
    const refunds = await timeline.fresh().em.find(Refund, {}, { orderBy: { position: 'asc' } });
    expect(refunds.map(({ amount, origin }) => [amount, origin])).toEqual([
      [500, 'processor'],
      [400, 'processor'],
    ]);
    expect((await statesOf(timeline)).invoices).toEqual(['refunded', 'partially_refunded']);
    await expectAgreement(session);
  });

  test('is lost with a dispute about the charge, as far as it is not refunded', async ({
    session,
  }) => {
    const { timeline, ids } = await aDebtor(session, 'sandbox_dispute_lost', [500, 700, 50]);
    await payInvoices(timeline.fresh(), { ids });
    const [first] = await timeline.payments();
    await refundPayment(timeline.fresh(), { id: first?.id ?? '', partialAmount: 200 });
    await timeline.toDay(2);
    const open = await timeline.payments();
    expect(open.map(({ disputed }) => disputed)).toEqual([true, true, true]);
    await expect(refundPayment(timeline.fresh(), { id: open[1]?.id ?? '' })).rejects.toThrow();
    await timeline.toDay(9);
    const disputes = await timeline.fresh().em.find(Dispute, {}, { orderBy: { position: 'asc' } });
    // The sandbox disputes the whole charge, of which 200 are with the customer already.
    expect(disputes.map(({ amount, fee, status }) => [amount, fee, status])).toEqual([
      [300, 1_500, 'lost'],
      [700, 0, 'lost'],
      [250, 0, 'lost'],
    ]);
    const lost = await timeline.payments();
    expect(lost.map(({ reversedAmount }) => reversedAmount)).toEqual([300, 700, 50]);
    await expectAgreement(session);
  });

  test('keeps its share of a lost dispute when the refund of another one fails later', async ({
    session,
  }) => {
    const { timeline, ids } = await aDebtor(session, 'sandbox_refund_fails_later', [100, 100, 100]);
    await payInvoices(timeline.fresh(), { ids });
    const [first, second] = await timeline.payments();
    await refundPayment(timeline.fresh(), { id: second?.id ?? '' });
    const lost = { status: 'lost', amount: 200, withdrawnAmount: 200 } as const;
    await settleDisputeOf(timeline.fresh(), first?.id ?? '', lost);
    const reversed = async () =>
      (await timeline.payments()).map(({ reversedAmount }) => reversedAmount);
    expect(await reversed()).toEqual([100, 0, 100]);
    await timeline.toDay(6);
    expect(await reversed()).toEqual([100, 0, 100]);
    const { em } = timeline.fresh();
    const { creditBalance } = await em.findOneOrFail(Customer, timeline.customer.id);
    // The refund has failed, so its credit note is on the balance.
    expect(creditBalance).toBe(100);
    await expectBooksToAgree(session);
  });

  test('is not lost a second time with another dispute about the charge', async ({ session }) => {
    const { timeline, ids } = await aDebtor(session, 'sandbox_success', [50, 50, 50]);
    await payInvoices(timeline.fresh(), { ids });
    const [first] = await timeline.payments();
    const settled = (reference: string, status: 'opened' | 'lost') =>
      settleDisputeOf(timeline.fresh(), first?.id ?? '', {
        reference,
        status,
        amount: 50,
        withdrawnAmount: 50,
      });
    await settled('dp_1', 'lost');
    await settled('dp_2', 'opened');
    await settled('dp_3', 'opened');
    await settled('dp_2', 'lost');
    const disputes = async () =>
      (
        await timeline.fresh().em.find(Dispute, { amount: { $gt: 0 } }, { populate: ['payment'] })
      ).map((each) => [ids.indexOf(each.payment.unwrap().invoiceId), each.processorReference]);
    const expected = [
      [0, 'dp_1'],
      [1, 'dp_2'],
      [2, 'dp_3'],
    ];
    expect((await disputes()).sort()).toEqual(expected);
    const payments = await timeline.payments();
    expect(payments.map(({ reversedAmount }) => reversedAmount)).toEqual([50, 50, 0]);
    expect(payments.map(({ disputed }) => disputed)).toEqual([true, true, true]);
    await settled('dp_3', 'lost');
    expect((await disputes()).sort()).toEqual(expected);
    expect((await timeline.payments()).map(({ reversedAmount }) => reversedAmount)).toEqual([
      50, 50, 50,
    ]);
    await expectBooksToAgree(session);
  });

  test('is paid by hand, and the charge is canceled for all of them', async ({ session }) => {
    const { timeline, ids } = await aDebtor(session, 'sandbox_slow', [500, 700]);
    await payInvoices(timeline.fresh(), { ids });
    await recordPayment(timeline.fresh(), {
      invoiceId: ids[1],
      amount: 700,
      method: 'bank_transfer',
    });
    expect(await statesOf(timeline)).toEqual({
      invoices: ['open', 'paid'],
      payments: [
        [500, 'canceled'],
        [700, 'canceled'],
        [700, 'succeeded'],
      ],
      charges: [[1_200, 'canceled']],
    });
    await expectAgreement(session);
  });

  test('is paid by hand at the same time as another one, and the charge takes nothing', async ({
    session,
  }) => {
    const { timeline, ids } = await aDebtor(session, 'sandbox_slow', [500, 700, 900]);
    await payInvoices(timeline.fresh(), { ids });
    await Promise.all(
      [500, 700].map((amount, place) =>
        recordPayment(timeline.fresh(), {
          invoiceId: ids[place],
          amount,
          method: 'bank_transfer',
        }),
      ),
    );
    const { invoices, payments, charges } = await statesOf(timeline);
    expect(invoices).toEqual(['paid', 'paid', 'open']);
    expect(payments.map(([, status]) => status).sort()).toEqual([
      'canceled',
      'canceled',
      'canceled',
      'succeeded',
      'succeeded',
    ]);
    expect(charges).toEqual([[2_100, 'canceled']]);
    await expectAgreement(session);
  });

  test('is void after a payment by hand for another one, where its period was cut short', async ({
    session,
  }) => {
    const { timeline, ended, owed } = await twoInDebt(session, 'sandbox_slow');
    await cancelSubscription(timeline.fresh(), {
      id: ended,
      cancellation: { timing: 'immediately' },
    });
    const [paid] = owed.filter(({ subscriptionId }) => subscriptionId !== ended);
    await recordPayment(timeline.fresh(), {
      invoiceId: paid?.id,
      amount: 300,
      method: 'bank_transfer',
    });
    const states = (await timeline.invoices()).slice(-2).map(({ id, status }) => [id, status]);
    expect(Object.fromEntries(states)).toEqual(
      Object.fromEntries(owed.map(({ id }) => [id, id === paid?.id ? 'paid' : 'void'])),
    );
    expect((await timeline.charges()).at(-1)).toMatchObject({ amount: 1_300, status: 'canceled' });
    await expectAgreement(session);
  });

  test('is refunded where its subscription has ended meanwhile', async ({ session }) => {
    const { timeline, ended: id } = await twoInDebt(session, 'sandbox_processing_success');
    await cancelSubscription(timeline.fresh(), { id, cancellation: { timing: 'immediately' } });
    await timeline.toDay(34.2);
    const parts = (await timeline.payments()).slice(-2);
    expect(parts.map(({ amount, status }) => [amount, status]).sort()).toEqual([
      [1_000, 'refunded'],
      [300, 'succeeded'],
    ]);
    expect((await timeline.charges()).at(-1)).toMatchObject({ amount: 1_300, refunded: 1_000 });
    await expectAgreement(session);
  });
});

describe('a repeat under the key of a request that was killed', () => {
  const fingerprint = 'pay them';

  test.for(['attempt', 'charge', 'outcome'] as const)(
    'after the %s charges once, and has the result',
    async (killed, { session }) => {
      const { timeline, ids } = await aDebtor(session, 'sandbox_success', [500, 700]);
      const key = crypto.randomUUID();
      const attempt = { ...timeline.fresh(), idempotency: { key, fingerprint } };
      const { done: paymentId } = await firstStep(attempt, (session) =>
        beginPayingInvoices(session, { ids }),
      );
      const begun = { paymentId: paymentId ?? '', resumed: false };
      const outcome =
        killed === 'attempt' ? undefined : await askProcessor(timeline.fresh(), begun);
      if (killed === 'outcome' && outcome)
        await settlePayment(timeline.fresh(), begun.paymentId, outcome);
      for (let time = 0; time < 2; time++) {
        const kept = await readKey(timeline.fresh(), key);
        expect(kept).toMatchObject({ fingerprint, progress: paymentId });
        const idempotency = { key, fingerprint, progress: kept?.progress };
        const repeat = { ...timeline.fresh(), idempotency };
        const { invoices, payments } = await payInvoices(repeat, { ids });
        expect(invoices.map(({ id, status }) => [id, status])).toEqual(
          ids.map((id) => [id, 'paid']),
        );
        expect(payments.map(({ amount, status }) => [amount, status])).toEqual([
          [500, 'succeeded'],
          [700, 'succeeded'],
        ]);
      }
      expect((await statesOf(timeline)).charges).toEqual([[1_200, 'succeeded']]);
      await expectAgreement(session);
    },
  );
});

/** A refund that someone makes at the processor. Returns its reference. */
async function refundedAtProcessor(
  timeline: Timeline,
  payment: Payment | undefined,
  amount: number,
) {
  const session = timeline.fresh();
  const processor = await processorOf(session);
  const { reference } = await processor.refund(session, {
    idempotencyKey: `by-hand-${crypto.randomUUID()}`,
    reference: null,
    chargeKey: payment?.idempotencyKey ?? '',
    paymentReference: null,
    chargeReference: null,
    amount,
    currency: 'USD',
    begunAt: session.now,
    metadata: {},
    onReference: async () => {},
  });
  return reference ?? '';
}

test.for([
  ['no invoice', []],
  ['an invoice twice', ['first', 'first']],
  ['an unknown invoice', ['first', 'inv_unknown']],
  ['an invoice of another customer', ['first', 'foreign']],
  ['an invoice that is not open', ['first', 'void']],
] as const)('%s: nothing is charged', async ([, names], { session, graphql }) => {
  const { timeline, ids } = await aDebtor(session, 'sandbox_success', [500, 700]);
  const other = await aDebtor(session, 'sandbox_success', [500]);
  await voidInvoice(timeline.fresh(), { id: ids[1] ?? '' });
  const known: Record<string, string | undefined> = {
    first: ids[0],
    void: ids[1],
    foreign: other.ids[0],
  };
  const { errors } = await graphql(
    'mutation ($ids: [ID!]!) { payInvoices(ids: $ids) { invoices { id } } }',
    { ids: names.map((name) => known[name] ?? name) },
  );
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST' });
  expect(await timeline.charges()).toEqual([]);
});
