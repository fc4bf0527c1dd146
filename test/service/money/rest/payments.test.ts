import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Refund } from '#domain/model/money/refund.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import { aPaidInvoice } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const record = {
  id: expect.stringMatching(/^pym_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  invoiceId: expect.stringMatching(/^inv_/),
  amount: 1_000,
  paymentMethod: 'card',
  currency: 'USD',
  status: 'succeeded',
  chargeDate: expect.any(Number),
  settlementDate: expect.any(Number),
  description: expect.stringMatching(/^Invoice [0-9A-F]{7}-00000$/),
  receiptNumber: expect.stringMatching(/^[0-9A-F]{7}-00000$/),
  receiptURL: expect.stringMatching(/^http:\/\/test\/documents\/receipt\/inv_/),
  organizationId: expect.stringMatching(/^org_/),
  customerId: expect.stringMatching(/^cust_/),
  purchaseId: null,
  subscriptionId: null,
  paymentMethodId: expect.stringMatching(/^pm_/),
  billingPeriodId: null,
  taxAmount: 0,
  subtotal: 1_000,
  taxType: null,
  taxCountry: null,
  taxState: null,
  taxRatePercentage: null,
  applicationFee: null,
  refunded: false,
  refundedAmount: 0,
  refundedAt: null,
  failureMessage: null,
  failureCode: null,
  pricingModelId: expect.stringMatching(/^pricing_model_/),
};

/** The payment of an invoice of its own, of 1,000 minor units. */
async function aPayment(session: Session, token = 'sandbox_success') {
  const { id } = await aPaidInvoice(session, { token });
  return session.em.fork().findOneOrFail(Payment, { invoice: id });
}

/** The amount that the processor has refunded in the end. */
const refunded = async (session: Session, { idempotencyKey }: Payment) =>
  (await session.em.fork().findOneOrFail(SandboxCharge, idempotencyKey)).refunded;

describe('GET /payments/{id}', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const { id } = await aPayment(session);
    const { status, body } = await api('GET', `/payments/${id}`);
    expect({ status, body }).toEqual({ status: 200, body: { payment: { ...record, id } } });
  });

  test('200 for one that has failed, which states why', async ({ api, session }) => {
    const { id } = await aPayment(session, 'sandbox_decline_insufficient_funds');
    const { body } = await api('GET', `/payments/${id}`);
    expect(body.payment).toEqual({
      ...record,
      id,
      status: 'failed',
      settlementDate: null,
      receiptNumber: null,
      receiptURL: null,
      failureCode: 'insufficient_funds',
      failureMessage: 'The card has insufficient funds',
    });
  });
});

describe('GET /payments', () => {
  test('200 with the documented envelope', async ({ api, session }) => {
    const { id } = await aPayment(session);
    await aPayment(session);
    const { status, body } = await api('GET', '/payments?limit=1');
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: [record], hasMore: true, total: 2, nextCursor: expect.any(String) },
    });
    const next = await api('GET', `/payments?cursor=${body.nextCursor}`);
    expect(next.body).toMatchObject({ hasMore: false, total: 2, currentCursor: body.nextCursor });
    expect([body.data[0].id, next.body.data[0].id]).toContain(id);
  });

  test('400 for a limit and a cursor that are none', async ({ api }) => {
    for (const field of ['limit', 'cursor']) {
      const { status, body } = await api('GET', `/payments?${field}=x`);
      expect({ status, issues: body.issues }).toEqual({
        status: 400,
        issues: [{ message: expect.stringMatching(new RegExp(`^${field}: `)) }],
      });
    }
  });
});

describe('POST /payments/{id}/refund', () => {
  test('200 with all of it', async ({ api, session }) => {
    const payment = await aPayment(session);
    const { status, body } = await api('POST', `/payments/${payment.id}/refund`, {});
    const gone = { refunded: true, refundedAmount: 1_000, refundedAt: expect.any(Number) };
    expect({ status, body }).toEqual({
      status: 200,
      body: { payment: { ...record, id: payment.id, status: 'refunded', ...gone } },
    });
    expect(await refunded(session, payment)).toBe(1_000);
    const { body: invoice } = await api('GET', `/invoices/${payment.invoiceId}`);
    expect(invoice.invoice.status).toBe('refunded');
  });

  test('200 in parts, up to all of it', async ({ api, session }) => {
    const payment = await aPayment(session);
    const path = `/payments/${payment.id}/refund`;
    const first = await api('POST', path, { partialAmount: 300 });
    expect(first.body.payment).toMatchObject({
      status: 'succeeded',
      refunded: false,
      refundedAmount: 300,
    });
    const { body: invoice } = await api('GET', `/invoices/${payment.invoiceId}`);
    expect(invoice.invoice.status).toBe('partially_refunded');
    expect(await api('POST', path, { partialAmount: 701 })).toMatchObject({
      status: 400,
      body: {
        issues: [
          { message: 'partialAmount: must be at most 700 (USD 7.00), the amount not yet refunded' },
        ],
      },
    });
    const rest = await api('POST', path, {});
    expect(rest.body.payment).toMatchObject({
      status: 'refunded',
      refunded: true,
      refundedAmount: 1_000,
    });
    expect(await refunded(session, payment)).toBe(1_000);
  });

  test.for([0, -1, 1.5, 1_001, 'all'])(
    '400 for a part of %s',
    async (partialAmount, { api, session }) => {
      const payment = await aPayment(session);
      const { status, body } = await api('POST', `/payments/${payment.id}/refund`, {
        partialAmount,
      });
      expect({ status, issues: body.issues }).toEqual({
        status: 400,
        issues: [{ message: expect.stringMatching(/^partialAmount: /) }],
      });
      expect(await session.em.fork().count(Refund)).toBe(0);
    },
  );

  test('400 for what has gone back already', async ({ api, session }) => {
    const { id } = await aPayment(session);
    await api('POST', `/payments/${id}/refund`, {});
    expect(await api('POST', `/payments/${id}/refund`, {})).toMatchObject({
      status: 400,
      body: { issues: [{ message: `id: ${id} has already been refunded` }] },
    });
  });

  test.for([
    ['failed', 'sandbox_decline_expired_card'],
    ['processing', 'sandbox_slow'],
    ['requires_action', 'sandbox_requires_action'],
  ] as const)('400 for one that is %s', async ([status, token], { api, session }) => {
    const { id } = await aPayment(session, token);
    const answer = await api('POST', `/payments/${id}/refund`, {});
    expect(answer).toMatchObject({
      status: 400,
      body: { issues: [{ message: expect.stringContaining(`id: ${id} is ${status}`) }] },
    });
  });

  test('however many at once, never more goes back than was paid', async ({ api, session }) => {
    const payment = await aPayment(session);
    const path = `/payments/${payment.id}/refund`;
    const parts = [400, 400, 300, 300, 300, 100, undefined, 1_000];
    const answers = await Promise.all(
      parts.map((partialAmount) => api('POST', path, { partialAmount })),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 400)).toEqual([]);
    const { body } = await api('GET', `/payments/${payment.id}`);
    const refunds = await session.em.fork().find(Refund, { payment: payment.id });
    const sum = refunds.reduce((total, { amount }) => total + amount, 0);
    expect(refunds.map(({ status }) => status)).not.toContain('failed');
    expect(sum).toBe(body.payment.refundedAmount);
    expect(sum).toBeLessThanOrEqual(1_000);
    expect(await refunded(session, payment)).toBe(sum);
  });
});

const endpoints = [
  ['GET', '/payments'],
  ['GET', '/payments/x'],
  ['POST', '/payments/x/refund'],
] as const;

test.for(endpoints)('401 for %s %s without a key', async ([method, path], { api }) => {
  expect(await api(method, path, undefined, { key: null })).toMatchObject({ status: 401 });
});

test.for(endpoints)(
  '403 for %s %s with a publishable key',
  async ([method, path], { api, session }) => {
    const key = await aKey(session, 'publishable');
    const answer = await api(method, path, undefined, { key });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', issues: [] } });
  },
);

test('404 for an unknown id and for one of another tenant', async ({ api, database }) => {
  const other = await aTenant(database.orm.em);
  const payment = await aPayment(other.session);
  for (const id of ['pym_none', payment.id]) {
    for (const [method, path, sent] of [
      ['GET', `/payments/${id}`, undefined],
      ['POST', `/payments/${id}/refund`, {}],
    ] as const) {
      const { status, body } = await api(method, path, sent);
      expect({ status, body }).toEqual({
        status: 404,
        body: { code: 'NOT_FOUND', message: `Payment ${id} not found`, issues: [] },
      });
    }
  }
  expect(await refunded(other.session, payment)).toBe(0);
});
