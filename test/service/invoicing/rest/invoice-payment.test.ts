import { describe, expect } from 'vitest';
import { finalizeInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import {
  aCustomer,
  aDraft,
  anOpenInvoice,
  aPaidInvoice,
  aPaymentMethod,
  aSubscription,
  fresh,
} from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';

describe('POST /invoices/{id}/pay', () => {
  test.for([
    ['sandbox_success', 'paid', 'succeeded', null],
    ['sandbox_error_after_charge', 'paid', 'succeeded', null],
    ['sandbox_decline_insufficient_funds', 'open', 'failed', 'insufficient_funds'],
    ['sandbox_decline_expired_card', 'open', 'failed', 'expired_card'],
    ['sandbox_requires_action', 'awaiting_payment_confirmation', 'requires_action', null],
    ['sandbox_slow', 'awaiting_payment_confirmation', 'processing', null],
    ['sandbox_error_before_charge', 'awaiting_payment_confirmation', 'processing', null],
  ] as const)(
    '200: with %s the invoice is %s and its payment %s',
    async ([token, status, paymentStatus, failureCode], { api, session }) => {
      const { id } = await anOpenInvoice(session, { token });
      const answer = await api('POST', `/invoices/${id}/pay`, {});
      expect(answer).toMatchObject({ status: 200, body: { invoice: { id, status } } });
      const { body } = await api('GET', '/payments');
      expect(body.data).toEqual([
        expect.objectContaining({
          invoiceId: id,
          status: paymentStatus,
          amount: 1_000,
          failureCode,
          refunded: false,
        }),
      ]);
    },
  );

  test('200 with another payment method than the usual one', async ({ api, session }) => {
    const { id, customerId } = await anOpenInvoice(session, {
      token: 'sandbox_decline_expired_card',
    });
    const { id: paymentMethodId } = await aPaymentMethod(session, customerId);
    const answer = await api('POST', `/invoices/${id}/pay`, { paymentMethodId });
    expect(answer.body.invoice.status).toBe('paid');
    expect((await api('GET', '/payments')).body.data).toMatchObject([{ paymentMethodId }]);
  });

  test('200 after a failure, for what is still to be paid', async ({ api, session }) => {
    const { id } = await anOpenInvoice(session, { token: 'sandbox_decline_then_success' });
    const statuses = [];
    for (let time = 0; time < 2; time++) {
      statuses.push((await api('POST', `/invoices/${id}/pay`, {})).body.invoice.status);
    }
    expect(statuses).toEqual(['open', 'paid']);
    const { body } = await api('GET', '/payments');
    expect(body.data.map(({ amount }: { amount: number }) => amount)).toEqual([1_000, 1_000]);
  });

  test('400 for one that amounts to nothing, which is paid when it is finalized', async ({
    api,
    session,
  }) => {
    const { id } = await anOpenInvoice(session, { lines: [{ quantity: 1, price: 0 }] });
    const { body } = await api('GET', `/invoices/${id}`);
    expect(body.invoice).toMatchObject({ status: 'paid', subtotal: 0 });
    expect((await api('POST', `/invoices/${id}/pay`, {})).status).toBe(400);
    expect((await api('GET', '/payments')).body.total).toBe(0);
  });

  test('of many at once one charges', async ({ api, session }) => {
    const { id } = await anOpenInvoice(session);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api('POST', `/invoices/${id}/pay`, {})),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 400, 400, 400, 400, 400]);
    expect(await session.em.fork().count(Payment)).toBe(1);
  });

  test('400 for what is not open, and without a way to pay', async ({ api, session }) => {
    const draft = await aDraft(session);
    const paid = await aPaidInvoice(session);
    for (const [{ id }, status] of [
      [draft, 'draft'],
      [paid, 'paid'],
    ] as const) {
      expect(await api('POST', `/invoices/${id}/pay`, {})).toMatchObject({
        status: 400,
        body: { issues: [{ message: `id: ${id} is ${status}, not open` }] },
      });
    }
    await api('POST', `/invoices/${draft.id}/finalize`);
    const method = await aPaymentMethod(session, paid.customerId);
    for (const body of [{}, { paymentMethodId: 'pm_none' }, { paymentMethodId: method.id }]) {
      expect(await api('POST', `/invoices/${draft.id}/pay`, body)).toMatchObject({
        status: 400,
        body: { issues: [{ message: expect.stringMatching(/^paymentMethodId: /) }] },
      });
    }
  });
});

describe('GET /invoices/{id}/explain', () => {
  test('200 for a standalone invoice', async ({ api, session }) => {
    const { id } = await aPaidInvoice(session, {
      lines: [
        { quantity: 2, price: 500 },
        { quantity: 3, price: 7 },
      ],
    });
    const invoice = (await api('GET', `/invoices/${id}`)).body;
    const payment = (await api('GET', '/payments')).body.data[0];
    const { status, body } = await api('GET', `/invoices/${id}/explain`);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        invoice: invoice.invoice,
        taxes: [],
        lines: [
          {
            lineItem: invoice.invoiceLineItems[0],
            amount: 1_000,
            steps: ['standalone', 'USD 5.00 × 2 = USD 10.00'],
            sources: [],
            usage: [],
          },
          {
            lineItem: invoice.invoiceLineItems[1],
            amount: 21,
            steps: ['standalone', 'USD 0.07 × 3 = USD 0.21'],
            sources: [],
            usage: [],
          },
        ],
        steps: [
          'lines: USD 10.00 + USD 0.21 = USD 10.21',
          'total: USD 10.21',
          `${payment.id}: USD 10.21 succeeded`,
          'still to be paid: USD 0.00',
        ],
        paid: 1_021,
        verified: true,
        differences: [],
      },
    });
  });

  test('200 for one of a subscription, which names its sources', async ({ api, session }) => {
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId);
    const subscription = await aSubscription(session, { customerId, quantity: 3 });
    const { id } = (await api('GET', '/invoices')).body.data[0];
    const { body } = await api('GET', `/invoices/${id}/explain`);
    expect(body).toMatchObject({ verified: true, paid: 3_000 });
    expect(body.lines).toMatchObject([
      {
        amount: 3_000,
        steps: [expect.stringMatching(/^for \d{4}-.* to \d{4}-/), 'USD 10.00 × 3 = USD 30.00'],
        sources: [
          expect.stringMatching(/^billing_period_/),
          expect.any(String),
          expect.stringMatching(/^si_/),
          subscription.priceId,
        ],
      },
    ]);
  });

  test('200, and not verified, for one whose line was tampered with', async ({ api, session }) => {
    const { id } = await aPaidInvoice(session);
    await session.em
      .fork()
      .execute('update invoice_line_item set price = 499, amount = 998 where invoice_id = ?', [id]);
    const { status, body } = await api('GET', `/invoices/${id}/explain`);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        verified: false,
        differences: [
          'subtotal is USD 10.00 and should be USD 9.98',
          'total is USD 10.00 and should be USD 9.98',
        ],
      },
    });
  });

  test('200, and not verified, where a line differs from what its period states', async ({
    api,
    session,
  }) => {
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId);
    await aSubscription(session, { customerId });
    const { id } = (await api('GET', '/invoices')).body.data[0];
    await session.em
      .fork()
      .execute('update invoice_line_item set price = 500, quantity = 2 where invoice_id = ?', [id]);
    const { body } = await api('GET', `/invoices/${id}/explain`);
    expect(body.verified).toBe(false);
    expect(body.differences).toEqual([
      expect.stringMatching(/^inv_li_\w+: \w+ has USD 10\.00 × 1$/),
    ]);
  });

  test('what an invoice states cannot be tampered with', async ({ session }) => {
    const { id } = await aPaidInvoice(session);
    for (const change of ['subtotal = 1, total = 1', `status = 'draft'`, `currency = 'EUR'`]) {
      await expect(
        session.em.fork().execute(`update invoice set ${change} where id = ?`, [id]),
      ).rejects.toThrow('is no draft any more');
    }
  });
});

describe('POST /invoices/pay', () => {
  test.for([
    ['sandbox_success', 'paid', 'succeeded', undefined],
    ['sandbox_decline_insufficient_funds', 'open', 'failed', undefined],
    [
      'sandbox_decline_authentication',
      'awaiting_payment_confirmation',
      'requires_action',
      expect.stringContaining('/sandbox/pages/'),
    ],
  ] as const)(
    '200: with %s each invoice is %s, and one charge was made for all',
    async ([token, status, paymentStatus, page], { api, session }) => {
      const first = await anOpenInvoice(session, { token });
      const draft = await aDraft(session, { customerId: first.customerId });
      const second = await finalizeInvoice(fresh(session), { id: draft.id });
      const headers = { 'idempotency-key': crypto.randomUUID(), prefer: 'include=all' };
      const options = { headers };
      const body = { ids: [second.id, first.id] };
      const answer = await api('POST', '/invoices/pay', body, options);
      expect(answer.status).toBe(200);
      expect(answer.body.invoices).toMatchObject([
        { id: second.id, status },
        { id: first.id, status },
      ]);
      const [charged] = answer.body.payments;
      const { organizationId } = session;
      expect(answer.body.payments).toMatchObject([
        { invoiceId: first.id, amount: 1_000, chargeAmount: 2_000, chargedWithId: null },
        { invoiceId: second.id, amount: 1_000, chargeAmount: null, chargedWithId: charged.id },
      ]);
      expect(answer.body.payments[1].status).toBe(paymentStatus);
      expect(answer.headers.get('Payment-Action-URL') ?? undefined).toEqual(page);
      // A repetition has the same answer, and charges nothing.
      const again = await api('POST', '/invoices/pay', body, options);
      expect(again.body.payments).toEqual(answer.body.payments);
      expect(await fresh(session).em.count(SandboxCharge, { organizationId })).toBe(1);
    },
  );

  test('a dry run states the outcome and charges nothing', async ({ api, session }) => {
    const first = await anOpenInvoice(session);
    const draft = await aDraft(session, { customerId: first.customerId });
    await finalizeInvoice(fresh(session), { id: draft.id });
    const dry = { headers: { prefer: 'dry-run' } };
    const answer = await api('POST', '/invoices/pay', { ids: [first.id, draft.id] }, dry);
    expect(answer.body.invoices).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
    expect(await fresh(session).em.count(Payment)).toBe(0);
  });

  test('400 with the place of an invoice that cannot be charged', async ({ api, session }) => {
    const first = await anOpenInvoice(session);
    const other = await anOpenInvoice(session);
    const answer = await api('POST', '/invoices/pay', { ids: [first.id, other.id] });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        issues: [{ message: 'ids.1: must be of the same customer as the other invoices' }],
      },
    });
  });
});
