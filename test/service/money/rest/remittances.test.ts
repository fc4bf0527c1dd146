import { describe, expect } from 'vitest';
import { finalizeInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import {
  aCustomer,
  aDraft,
  aLiveSession,
  anOpenInvoice,
  aPaidInvoice,
  fresh,
} from '../../../support/factories.ts';
import { aKey } from '../../../support/tenant.ts';
import { apiOf, test } from '../../../support/test.ts';

const transfer = { amount: 1_000, method: 'bank_transfer' };

/** An open invoice of 1,000 whose customer has no payment method. */
async function aSentInvoice(session: Session, draft: Parameters<typeof aDraft>[1] = {}) {
  const { id } = await aDraft(session, draft);
  return finalizeInvoice(fresh(session), { id });
}

const balanceOf = async (session: Session, id: string) =>
  (await fresh(session).em.findOneOrFail(Customer, id)).creditBalance;

describe('POST /invoices/{id}/payments', () => {
  test('400 for an over-payment that is too large to be counted, which states the limit', async ({
    api,
    session,
  }) => {
    const { id } = await aSentInvoice(session);
    const { status, body } = await api('POST', `/invoices/${id}/payments`, {
      ...transfer,
      amount: Number.MAX_SAFE_INTEGER,
    });
    expect(status).toBe(400);
    expect(body.issues).toEqual([
      { message: expect.stringMatching(/^amount: must be at most 1000000000999: 1000 is due/) },
    ]);
  });

  test('200: two transfers pay an invoice, the second one in full', async ({ api, session }) => {
    const { id } = await aSentInvoice(session);
    const receivedAt = Date.now() - 86_400_000;
    const first = await api('POST', `/invoices/${id}/payments`, {
      ...transfer,
      amount: 400,
      reference: 'T-1',
      note: 'By phone',
      receivedAt,
    });
    expect(first).toMatchObject({
      status: 200,
      body: {
        remittance: {
          status: 'received',
          method: 'bank_transfer',
          amount: 400,
          currency: 'USD',
          reference: 'T-1',
          note: 'By phone',
          receivedAt,
          recordedBy: { type: 'api_key', id: session.apiKeyId },
        },
        payments: [
          {
            invoiceId: id,
            amount: 400,
            status: 'succeeded',
            paymentMethod: 'bank_transfer',
            chargeDate: receivedAt,
            settlementDate: receivedAt,
            paymentMethodId: null,
            creditedAmount: 0,
          },
        ],
      },
    });
    expect((await api('GET', `/invoices/${id}`)).body.invoice.status).toBe('open');
    await api('POST', `/invoices/${id}/payments`, { ...transfer, amount: 600, method: 'check' });
    expect((await api('GET', `/invoices/${id}`)).body.invoice.status).toBe('paid');
    expect((await api('GET', '/payments')).body.total).toBe(2);
    expect(await api('POST', `/invoices/${id}/payments`, transfer)).toMatchObject({
      status: 400,
      body: { issues: [{ message: `id: ${id} is paid: only an open invoice is paid` }] },
    });
  });

  test('200: what is beyond the amount due is credited to the customer', async ({
    api,
    session,
  }) => {
    const { id, customerId } = await aSentInvoice(session);
    const { body } = await api('POST', `/invoices/${id}/payments`, { ...transfer, amount: 1_250 });
    expect(body.payments).toMatchObject([{ amount: 1_250, creditedAmount: 250 }]);
    expect(await balanceOf(session, customerId)).toBe(250);
    const next = await aSentInvoice(session, { customerId });
    const rest = await api('POST', `/invoices/${next.id}/payments`, { ...transfer, amount: 750 });
    expect(rest.body.payments).toMatchObject([{ amount: 750, creditedAmount: 0 }]);
    expect((await api('GET', `/invoices/${next.id}`)).body.invoice.status).toBe('paid');
  });

  test('200 in live mode, where no processor is configured', async ({ gateway, session }) => {
    const live = await aLiveSession(session);
    const key = await aKey(live, 'secret');
    const { id } = await aSentInvoice(live);
    const api = apiOf(gateway, key);
    expect(await api('POST', `/invoices/${id}/payments`, transfer)).toMatchObject({ status: 200 });
    const { body } = await api('GET', '/payments');
    expect(body.data).toMatchObject([{ livemode: true, status: 'succeeded' }]);
    const refund = await api('POST', `/payments/${body.data[0].id}/refund`, { partialAmount: 300 });
    expect(refund.body.payment).toMatchObject({ refundedAmount: 300 });
  });

  test('200 once for an idempotency key', async ({ api, session }) => {
    const { id } = await aSentInvoice(session);
    const send = () =>
      api('POST', `/invoices/${id}/payments`, transfer, { headers: { 'idempotency-key': 'once' } });
    const answers = [await send(), await send()];
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect((await api('GET', '/payments')).body.total).toBe(1);
  });

  test.for([
    ['an amount of 0', { amount: 0 }, 'amount'],
    ['no amount', { amount: null }, 'amount'],
    ['no method', { method: null }, 'method'],
    ['another currency', { currency: 'EUR' }, 'currency'],
    ['a time in the future', { receivedAt: '2999-01-01T00:00:00Z' }, 'receivedAt'],
    ['an empty reference', { reference: ' ' }, 'reference'],
  ] as const)('400 for %s', async ([, wrong, path], { api, session }) => {
    const { id } = await aSentInvoice(session);
    expect(await api('POST', `/invoices/${id}/payments`, { ...transfer, ...wrong })).toMatchObject({
      status: 400,
      body: { issues: [{ message: expect.stringMatching(new RegExp(`^${path}: `)) }] },
    });
    expect((await api('GET', '/payments')).body.total).toBe(0);
  });

  test('400 for a draft and a void invoice', async ({ api, session }) => {
    const draft = await aDraft(session);
    const sent = await aSentInvoice(session);
    await api('POST', `/invoices/${sent.id}/void`);
    for (const { id } of [draft, sent]) {
      expect(await api('POST', `/invoices/${id}/payments`, transfer)).toMatchObject({
        status: 400,
      });
    }
  });

  test('400 for a reference that another payment has', async ({ api, session }) => {
    const [one, other] = [await aSentInvoice(session), await aSentInvoice(session)];
    const named = { ...transfer, reference: 'T-7' };
    await api('POST', `/invoices/${one.id}/payments`, named);
    expect(await api('POST', `/invoices/${other.id}/payments`, named)).toMatchObject({
      status: 400,
      body: { issues: [{ message: expect.stringMatching(/^reference: .* which is received$/) }] },
    });
  });

  test('of many records of one reference at once one is kept', async ({ api, session }) => {
    const invoices = [];
    for (let n = 0; n < 4; n++) invoices.push(await aSentInvoice(session));
    const named = { ...transfer, reference: 'T-8' };
    const answers = await Promise.all(
      invoices.map(({ id }) => api('POST', `/invoices/${id}/payments`, named)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(await fresh(session).em.count(Payment)).toBe(1);
  });

  test('401 without a key, 403 without the scope, 404 for an unknown invoice', async ({
    api,
    graphql,
    session,
  }) => {
    const { id } = await aSentInvoice(session);
    const { data } = await graphql(
      'mutation { createApiKey(apiKey: {name: "Payments", type: secret, scopes: [read, payments_write]}) { token } }',
    );
    const path = `/invoices/${id}/payments`;
    expect(await api('POST', path, transfer, { key: null })).toMatchObject({ status: 401 });
    const { token } = data.createApiKey;
    expect(await api('POST', path, transfer, { key: token })).toMatchObject({ status: 403 });
    expect(await api('POST', '/invoices/inv_none/payments', transfer)).toMatchObject({
      status: 404,
    });
  });

  test('200: a pending charge is canceled, and never takes money', async ({ api, session }) => {
    const { id, customerId } = await aPaidInvoice(session, { token: 'sandbox_requires_action' });
    const { status } = await api('POST', `/invoices/${id}/payments`, transfer);
    expect(status).toBe(200);
    const payments = await fresh(session).em.find(
      Payment,
      { invoice: id },
      { orderBy: { position: 1 } },
    );
    expect(payments.map((one) => one.status)).toEqual(['canceled', 'succeeded']);
    expect((await api('GET', `/invoices/${id}`)).body.invoice.status).toBe('paid');
    expect(await balanceOf(session, customerId)).toBe(0);
  });

  test('400 while a charge cannot be canceled', async ({ api, session }) => {
    const { id } = await aPaidInvoice(session, { token: 'sandbox_error_before_charge' });
    expect(await api('POST', `/invoices/${id}/payments`, transfer)).toMatchObject({
      status: 400,
      body: { issues: [{ message: expect.stringContaining('cannot be canceled') }] },
    });
  });

  test('a record and a charge at once pay an invoice once', async ({ api, session }) => {
    const { id, customerId } = await anOpenInvoice(session);
    const [charge, record] = await Promise.all([
      api('POST', `/invoices/${id}/pay`, {}),
      api('POST', `/invoices/${id}/payments`, transfer),
    ]);
    expect([charge.status, record.status].filter((status) => status === 200)).not.toEqual([]);
    const [row] = await fresh(session).em.execute(
      `select sum(amount - refunded_amount - credited_amount)::int as net from payment
       where invoice_id = ? and status = 'succeeded'`,
      [id],
    );
    expect(row).toEqual({ net: 1_000 });
    expect(await balanceOf(session, customerId)).toBe(0);
  });
});

describe('POST /remittances', () => {
  test('200: the invoices of a customer are paid, the oldest first', async ({ api, session }) => {
    const { id: customerId } = await aCustomer(session);
    const invoices: Invoice[] = [];
    for (let n = 0; n < 3; n++) invoices.push(await aSentInvoice(session, { customerId }));
    const { status, body } = await api('POST', '/remittances', {
      ...transfer,
      customerId,
      amount: 2_300,
    });
    expect(status).toBe(200);
    expect(body.payments).toMatchObject(
      [1_000, 1_000, 300].map((amount, n) => ({ amount, invoiceId: invoices[n]?.id })),
    );
    const rest = await api('POST', '/remittances', { ...transfer, customerId, amount: 800 });
    expect(rest.body.payments).toMatchObject([{ amount: 800, creditedAmount: 100 }]);
    const none = await api('POST', '/remittances', { ...transfer, customerId });
    expect(none).toMatchObject({
      status: 400,
      body: { issues: [{ message: 'customerId: has no invoice that is to be paid' }] },
    });
  });

  test('200: a list divides a transfer, and each part is at most what is due', async ({
    api,
    session,
  }) => {
    const { id: customerId } = await aCustomer(session);
    const [one, two] = [
      await aSentInvoice(session, { customerId }),
      await aSentInvoice(session, { customerId }),
    ];
    const parts = (first: number, second: number) => [
      { invoiceId: one.id, amount: first },
      { invoiceId: two.id, amount: second },
    ];
    const send = (amount: number, allocations: object[]) =>
      api('POST', '/remittances', { ...transfer, amount, allocations });
    expect((await send(2_000, parts(1_001, 500))).body.issues).toMatchObject([
      { message: expect.stringMatching(/^allocations.0.amount: must be at most 1000/) },
    ]);
    expect((await send(1_000, parts(900, 500))).status).toBe(400);
    expect((await send(1_000, [...parts(1, 1), { invoiceId: one.id, amount: 1 }])).status).toBe(
      400,
    );
    const stranger = await aSentInvoice(session);
    const foreign = [...parts(1, 1), { invoiceId: stranger.id, amount: 1 }];
    expect((await send(1_000, foreign)).body.issues).toMatchObject([
      { message: 'allocations: must be of one customer' },
    ]);
    const { body } = await send(1_500, parts(300, 1_000));
    expect(body.payments).toMatchObject([
      { invoiceId: one.id, amount: 300 },
      { invoiceId: two.id, amount: 1_200, creditedAmount: 200 },
    ]);
  });

  test('400 without or with two targets, 401, 404 for an unknown receipt', async ({
    api,
    session,
  }) => {
    const { id: customerId } = await aCustomer(session);
    const two = { customerId, allocations: [{ invoiceId: 'inv_none', amount: 1 }] };
    for (const target of [{}, two, { customerId: 'cust_none' }]) {
      expect(await api('POST', '/remittances', { ...transfer, ...target })).toMatchObject({
        status: 400,
      });
    }
    expect(await api('POST', '/remittances', transfer, { key: null })).toMatchObject({
      status: 401,
    });
    expect(await api('GET', '/remittances/remittance_none')).toMatchObject({ status: 404 });
  });
});

describe('expected payments', () => {
  test('settle nothing until they are received', async ({ api, session }) => {
    const { id, customerId } = await aSentInvoice(session);
    const expected = await api('POST', '/remittances/expect', {
      customerId,
      amount: 1_000,
      reference: 'T-9',
      expectedAt: '2026-12-24T00:00:00Z',
    });
    expect(expected).toMatchObject({
      status: 200,
      body: { remittance: { status: 'expected', method: 'bank_transfer', receivedAt: null } },
    });
    const own = expected.body.remittance.id;
    expect((await api('GET', `/invoices/${id}`)).body.invoice.status).toBe('open');
    // The reference says that it is the same transfer.
    const again = await api('POST', `/invoices/${id}/payments`, { ...transfer, reference: 'T-9' });
    expect(again.body.issues[0].message).toContain(`pass ${own} as remittanceId`);
    const received = await api('POST', `/remittances/${own}/receive`, { amount: 990 });
    expect(received.body).toMatchObject({
      remittance: { id: own, status: 'received', amount: 990, reference: 'T-9' },
      payments: [{ invoiceId: id, amount: 990 }],
    });
    expect(await api('POST', `/remittances/${own}/receive`, {})).toMatchObject({ status: 400 });
    expect(await api('POST', `/remittances/${own}/cancel`, {})).toMatchObject({ status: 400 });
    expect(await api('POST', '/remittances/remittance_none/receive', {})).toMatchObject({
      status: 404,
    });
    const { body } = await api('GET', '/remittances');
    expect(body.data).toMatchObject([{ id: own, status: 'received' }]);
  });

  test('a canceled one frees its reference', async ({ api, session }) => {
    const { id, customerId } = await aSentInvoice(session);
    const expect1 = { customerId, amount: 1_000, reference: 'T-10' };
    const { body } = await api('POST', '/remittances/expect', expect1);
    const path = `/remittances/${body.remittance.id}/cancel`;
    expect(await api('POST', '/remittances/expect', expect1)).toMatchObject({ status: 400 });
    const canceled = await api('POST', path, { reason: 'By card' });
    expect(canceled.body.remittance).toMatchObject({ status: 'canceled', reason: 'By card' });
    expect(await api('POST', path, {})).toMatchObject({ status: 200 });
    const named = { ...transfer, reference: 'T-10' };
    expect(await api('POST', `/invoices/${id}/payments`, named)).toMatchObject({ status: 200 });
    expect(await api('POST', path, {}, { key: null })).toMatchObject({ status: 401 });
    expect(await api('POST', '/remittances/remittance_none/cancel', {})).toMatchObject({
      status: 404,
    });
  });
});

describe('POST /payments/{id}/reverse', () => {
  test('200: the invoices of a bounced check are open again, and its reference is free', async ({
    api,
    session,
  }) => {
    const { id: customerId } = await aCustomer(session);
    const [one, two] = [
      await aSentInvoice(session, { customerId }),
      await aSentInvoice(session, { customerId }),
    ];
    const check = { method: 'check', amount: 2_400, reference: 'C-1', customerId };
    const { body } = await api('POST', '/remittances', check);
    expect(await balanceOf(session, customerId)).toBe(400);
    const path = `/payments/${body.payments[0].id}/reverse`;
    const reversed = await api('POST', path, { reason: 'It bounced' });
    expect(reversed).toMatchObject({
      status: 200,
      body: {
        remittance: { status: 'reversed', reason: 'It bounced' },
        payments: [
          { status: 'canceled', creditedAmount: 0, reversedAt: expect.any(Number) },
          { status: 'canceled', creditedAmount: 0, reversedAt: expect.any(Number) },
        ],
      },
    });
    for (const { id } of [one, two]) {
      const { invoice } = (await api('GET', `/invoices/${id}`)).body;
      expect(invoice).toMatchObject({ status: 'open', dueDate: one.dueDate && expect.any(Number) });
    }
    expect(await balanceOf(session, customerId)).toBe(0);
    expect((await api('POST', path, { reason: 'Again' })).body).toEqual(reversed.body);
    expect(await api('POST', '/remittances', check)).toMatchObject({ status: 200 });
  });

  test('200: credit that was used is owed again for the invoice that it has paid', async ({
    api,
    session,
  }) => {
    const { id, customerId } = await aSentInvoice(session);
    const { body } = await api('POST', `/invoices/${id}/payments`, { ...transfer, amount: 2_500 });
    const next = await aSentInvoice(session, { customerId });
    expect(next).toMatchObject({ status: 'paid', creditApplied: 1_000 });
    await api('POST', `/payments/${body.remittance.id}/reverse`, { reason: 'Not ours' });
    const rows = await fresh(session).em.find(Invoice, {}, { orderBy: { position: 1 } });
    expect(rows).toMatchObject([
      { status: 'open', creditApplied: 0 },
      { status: 'open', creditApplied: 0 },
    ]);
    expect(await fresh(session).em.findOneOrFail(Customer, customerId)).toMatchObject({
      creditBalance: 0,
      amountOwed: 2_000,
    });
  });

  test('400 for a charge and a refunded receipt, 401, 404', async ({ api, session }) => {
    await aPaidInvoice(session);
    const charge = (await api('GET', '/payments')).body.data[0];
    const reason = { reason: 'No' };
    expect(await api('POST', `/payments/${charge.id}/reverse`, reason)).toMatchObject({
      status: 400,
      body: { issues: [{ message: expect.stringContaining('refund it instead') }] },
    });
    const { id } = await aSentInvoice(session);
    const { body } = await api('POST', `/invoices/${id}/payments`, transfer);
    const path = `/payments/${body.payments[0].id}`;
    expect(await api('POST', `${path}/reverse`, {})).toMatchObject({ status: 400 });
    expect(await api('POST', `${path}/reverse`, reason, { key: null })).toMatchObject({
      status: 401,
    });
    await api('POST', `${path}/refund`, { partialAmount: 1 });
    expect(await api('POST', `${path}/reverse`, reason)).toMatchObject({ status: 400 });
    expect(await api('POST', '/payments/pym_none/reverse', reason)).toMatchObject({ status: 404 });
  });
});

describe('a refund of a payment by hand', () => {
  test('is a record of at most what was received, its over-payment first', async ({
    api,
    session,
  }) => {
    const { id, customerId } = await aSentInvoice(session);
    const { body } = await api('POST', `/invoices/${id}/payments`, { ...transfer, amount: 1_300 });
    const path = `/payments/${body.payments[0].id}/refund`;
    expect(await api('POST', path, { partialAmount: 1_301 })).toMatchObject({ status: 400 });
    expect((await api('POST', path, { partialAmount: 200 })).body.payment).toMatchObject({
      status: 'succeeded',
      refundedAmount: 200,
    });
    expect(await balanceOf(session, customerId)).toBe(100);
    expect((await api('GET', `/invoices/${id}`)).body.invoice.status).toBe('paid');
    await api('POST', path, { partialAmount: 600 });
    expect(await balanceOf(session, customerId)).toBe(0);
    expect((await api('GET', `/invoices/${id}`)).body.invoice.status).toBe('partially_refunded');
    expect((await api('POST', path, {})).body.payment).toMatchObject({ status: 'refunded' });
    expect((await api('GET', `/invoices/${id}`)).body.invoice.status).toBe('refunded');
  });
});

test('what was paid for an invoice is credited when it is voided', async ({ api, session }) => {
  const { id, customerId } = await aSentInvoice(session);
  await api('POST', `/invoices/${id}/payments`, { ...transfer, amount: 400 });
  await api('POST', `/invoices/${id}/void`);
  expect(await fresh(session).em.findOneOrFail(Customer, customerId)).toMatchObject({
    creditBalance: 400,
    amountOwed: 0,
  });
  expect(await fresh(session).em.count(BillingRun)).toBe(0);
});
