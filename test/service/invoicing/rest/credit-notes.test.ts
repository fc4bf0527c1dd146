import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { aDraft, anOpenInvoice, aPaidInvoice, fresh } from '../../../support/factories.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const record = {
  id: expect.stringMatching(/^credit_note_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  organizationId: expect.stringMatching(/^org_/),
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  invoiceId: expect.stringMatching(/^inv_/),
  customerId: expect.stringMatching(/^cust_/),
  creditNoteNumber: expect.stringMatching(/^[0-9A-F]{7}-CN-00000$/),
  issuedAt: expect.any(Number),
  status: 'settled',
  settlement: 'credit',
  reason: 'order_change',
  description: null,
  currency: 'USD',
  subtotal: 1_000,
  taxAmount: 0,
  taxInclusive: false,
  total: 1_000,
  taxType: null,
  taxCountry: null,
  taxState: null,
  taxRatePercentage: null,
  taxes: [],
  refundedAmount: 0,
  creditedAmount: 1_000,
  writtenOffAmount: 0,
  setOffAmount: 0,
  setOffInvoiceId: null,
  pdfURL: expect.stringMatching(/^http:\/\/test\/documents\/credit_note\/credit_note_/),
};

const whole = { whole: true, settle: 'credit', reason: 'order_change' };
const taxed = (session: Session, taxInclusive = false) =>
  updateOrganization(fresh(session), {
    organization: { taxType: 'vat', taxRatePercentage: '19', taxInclusive },
  });
const invoiceOf = (session: Session, id: string) =>
  fresh(session).em.findOneOrFail(Invoice, id, { populate: ['customer', 'lineItems'] });

describe('POST /credit-notes', () => {
  test('200 with the documented record and its PDF; the balance gets the whole invoice', async ({
    api,
    gateway,
    session,
  }) => {
    const { id: invoiceId, customerId } = await aPaidInvoice(session);
    const creditNote = { ...whole, invoiceId };
    const { status, body } = await api('POST', '/credit-notes', { creditNote });
    const pdf = await gateway.fetch(body.creditNote.pdfURL);
    const number = body.creditNote.creditNoteNumber;
    expect(pdf.headers.get('content-disposition')).toBe(
      `inline; filename="credit-note-${number}.pdf"`,
    );
    expect(Buffer.from(await pdf.arrayBuffer()).toString('latin1')).toMatch(/^%PDF-/);
    const forged = body.creditNote.pdfURL.replace('/documents/credit_note/', '/documents/invoice/');
    expect((await gateway.fetch(forged)).status).toBe(404);
    const [line] = (await invoiceOf(session, invoiceId)).lineItems;
    const lines = [
      { invoiceLineItemId: line?.id, description: '', quantity: 2, amount: 1_000, taxAmount: 0 },
    ];
    expect({ status, body }).toEqual({
      status: 200,
      body: { creditNote: { ...record, invoiceId, customerId, lines } },
    });
    const invoice = await invoiceOf(session, invoiceId);
    expect(invoice).toMatchObject({ status: 'paid', amountCredited: 1_000 });
    expect(invoice.customer.unwrap().creditBalance).toBe(1_000);
    await expectMoneyToAgree(session);
  });

  test('200 with a refund of the payment, in lines by quantity and by amount', async ({
    api,
    session,
  }) => {
    await taxed(session);
    const lines = [
      { quantity: 3, price: 333, description: 'Desk' },
      { quantity: 1, price: 77, description: 'Lamp' },
    ];
    const { id: invoiceId, total } = await aPaidInvoice(session, { lines });
    expect(total).toBe(1_280);
    const [desk, lamp] = (await invoiceOf(session, invoiceId)).lineItems;
    const { body } = await api('POST', '/credit-notes', {
      creditNote: {
        invoiceId,
        settle: 'refund',
        reason: 'product_unsatisfactory',
        description: 'Scratched',
        lines: [
          { invoiceLineItemId: desk?.id, quantity: 2 },
          { invoiceLineItemId: lamp?.id, amount: 70 },
        ],
      },
    });
    expect(body.creditNote).toMatchObject({
      status: 'settled',
      settlement: 'refund',
      description: 'Scratched',
      subtotal: 736,
      taxAmount: 140,
      total: 876,
      refundedAmount: 876,
      lines: [
        { description: 'Desk', quantity: 2, amount: 666, taxAmount: 127 },
        { description: 'Lamp', quantity: null, amount: 70, taxAmount: 13 },
      ],
    });
    const [payment] = await fresh(session).em.find(Payment, { invoice: invoiceId });
    expect(payment).toMatchObject({ status: 'succeeded', refundedAmount: 876 });
    const rest = { ...whole, settle: 'refund', invoiceId };
    const second = await api('POST', '/credit-notes', { creditNote: rest });
    expect(second.body.creditNote).toMatchObject({ subtotal: 340, taxAmount: 64, total: 404 });
    expect(await invoiceOf(session, invoiceId)).toMatchObject({ status: 'refunded' });
    await expectMoneyToAgree(session);
  });

  test('200 with a write-off: a part reduces what is due, the rest makes it uncollectible', async ({
    api,
    graphql,
    session,
  }) => {
    const { id: invoiceId } = await anOpenInvoice(session);
    const writeOff = { invoiceId, settle: 'write_off', reason: 'uncollectible' };
    const part = { creditNote: { ...writeOff, amount: 400 } };
    expect((await api('POST', '/credit-notes', part)).body.creditNote.writtenOffAmount).toBe(400);
    const document =
      'query ($id: ID!) { invoice(id: $id) { status amountDue amountCredited customer { amountOwed } } }';
    const { data } = await graphql(document, { id: invoiceId });
    expect(data.invoice).toEqual({
      status: 'open',
      amountDue: 600,
      amountCredited: 400,
      customer: { amountOwed: 600 },
    });
    await api('POST', '/credit-notes', { creditNote: { ...writeOff, whole: true } });
    expect(await invoiceOf(session, invoiceId)).toMatchObject({ status: 'uncollectible' });
    await expectMoneyToAgree(session);
  });

  test('200 for a part of an open invoice; its charge is for the rest', async ({
    api,
    session,
  }) => {
    const { id: invoiceId } = await anOpenInvoice(session);
    const creditNote = { invoiceId, settle: 'write_off', reason: 'other', amount: 400 };
    await api('POST', '/credit-notes', { creditNote });
    await api('POST', `/invoices/${invoiceId}/pay`, {});
    const [payment] = await fresh(session).em.find(Payment, { invoice: invoiceId });
    expect(payment).toMatchObject({ status: 'succeeded', amount: 600 });
    expect(await invoiceOf(session, invoiceId)).toMatchObject({ status: 'paid' });
    await expectMoneyToAgree(session);
  });

  test('200 with `Prefer: dry-run` shows the refund and changes nothing', async ({
    api,
    session,
  }) => {
    const { id: invoiceId } = await aPaidInvoice(session);
    const creditNote = { ...whole, settle: 'refund', invoiceId };
    const headers = { prefer: 'dry-run' };
    const { status, body } = await api('POST', '/credit-notes', { creditNote }, { headers });
    expect({ status, note: body.creditNote }).toMatchObject({
      status: 200,
      note: { ...record, settlement: 'refund', creditedAmount: 0, refundedAmount: 1_000 },
    });
    const types = body.effects.events.map(({ type }: { type: string }) => type);
    expect(types).toContain('credit_note.created');
    expect((await api('GET', '/credit-notes')).body.total).toBe(0);
    expect(await invoiceOf(session, invoiceId)).toMatchObject({ amountCredited: 0 });
  });

  test('200 twice with one key is one credit note', async ({ api, session }) => {
    const { id: invoiceId } = await aPaidInvoice(session);
    const creditNote = { invoiceId, amount: 300, settle: 'refund', reason: 'duplicate' };
    const headers = { 'idempotency-key': 'refund-300' };
    const answers = [1, 2].map(() => api('POST', '/credit-notes', { creditNote }, { headers }));
    const [one, two] = await Promise.all(answers);
    expect(two?.body.creditNote.id ?? two?.status).toBeOneOf([one?.body.creditNote?.id, 409, 503]);
    expect((await api('GET', '/credit-notes')).body.total).toBe(1);
    await expectMoneyToAgree(session);
  });

  test('400 for what a credit note cannot be for, with the way to correct it', async ({
    api,
    session,
  }) => {
    const paid = (await aPaidInvoice(session)).id;
    const open = (await anOpenInvoice(session)).id;
    const draft = (await aDraft(session)).id;
    const [line] = (await invoiceOf(session, paid)).lineItems;
    const of = { settle: 'credit', reason: 'other', invoiceId: paid };
    const lines = (line: object) => ({ ...of, lines: [line] });
    for (const [creditNote, path, message] of [
      [{ ...of }, '', 'must have exactly one of whole, amount and lines'],
      [{ ...of, whole: true, amount: 1 }, '', 'must have exactly one of whole, amount and lines'],
      [
        { ...of, amount: 1_001 },
        'amount',
        'must be at most 1000 (USD 10.00), the rest of the invoice',
      ],
      [
        { ...of, amount: 1, invoiceId: draft },
        'invoiceId',
        `${draft} is a draft: change or void it instead`,
      ],
      [
        { ...of, amount: 1, invoiceId: open },
        'amount',
        'must be at most 0 (USD 0.00) with tax, the amount that is paid and not returned: an unpaid invoice is settled by write_off',
      ],
      [
        { ...of, amount: 1, settle: 'write_off' },
        'amount',
        'must be at most 0 (USD 0.00) with tax, the amount that is due: a paid invoice is settled by refund or credit',
      ],
      [
        { ...of, amount: 1, settle: 'refund', invoiceId: open },
        'amount',
        'must be at most 0 (USD 0.00) with tax, the payments that can be refunded: an unpaid invoice is settled by write_off',
      ],
      [
        lines({ invoiceLineItemId: 'inv_li_none', amount: 1 }),
        'lines.0.invoiceLineItemId',
        'inv_li_none is not a line of the invoice',
      ],
      [
        lines({ invoiceLineItemId: line?.id, quantity: 3 }),
        'lines.0.quantity',
        'must be at most 2, the rest of the line',
      ],
      [
        lines({ invoiceLineItemId: line?.id, amount: 1_001 }),
        'lines.0.amount',
        'must be at most 1000 (USD 10.00), the rest of the line',
      ],
      [
        lines({ invoiceLineItemId: line?.id }),
        'lines.0.quantity',
        'give either quantity or amount',
      ],
    ] as const) {
      const { status, body } = await api('POST', '/credit-notes', { creditNote });
      const { issues } = body;
      const field = ['creditNote', path].filter(Boolean).join('.');
      expect({ status, issues }, message).toEqual({
        status: 400,
        issues: [expect.objectContaining({ message: `${field}: ${message}` })],
      });
    }
    await api('POST', `/invoices/${open}/void`);
    const ofVoid = { ...of, amount: 1, invoiceId: open };
    const { status } = await api('POST', '/credit-notes', { creditNote: ofVoid });
    expect(status).toBe(400);
  });

  test('401 without a key, 403 with a publishable one, 404 for an invoice of others', async ({
    api,
    session,
    database,
  }) => {
    const { id: invoiceId } = await aPaidInvoice((await aTenant(database.orm.em)).session);
    const input = { creditNote: { ...whole, invoiceId } };
    expect((await api('POST', '/credit-notes', input, { key: null })).status).toBe(401);
    const key = await aKey(session, 'publishable');
    expect((await api('POST', '/credit-notes', input, { key })).status).toBe(403);
    expect((await api('POST', '/credit-notes', input)).status).toBe(404);
  });
});

describe('GET /credit-notes', () => {
  test('200 with the documented envelope, and 200 and 404 by id', async ({ api, session }) => {
    const { id } = await aPaidInvoice(session);
    await fresh(session).em.findOneOrFail(Invoice, id);
    const [payment] = await fresh(session).em.find(Payment, { invoice: id });
    await api('POST', `/payments/${payment?.id}/refund`, { partialAmount: 250 });
    const { status, body } = await api('GET', '/credit-notes');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { total: 1, hasMore: false, data: [{ reason: 'refund', refundedAmount: 250 }] },
    });
    const [note] = body.data;
    const one = await api('GET', `/credit-notes/${note.id}`);
    expect(one.body.creditNote).toEqual({ ...note, pdfURL: expect.any(String) });
    expect((await api('GET', '/credit-notes/credit_note_none')).status).toBe(404);
  });

  test('in GraphQL: by condition, in order, by a part of the number, below invoice and customer', async ({
    api,
    graphql,
    session,
  }) => {
    const { id: invoiceId } = await aPaidInvoice(session);
    for (const amount of [300, 100, 200]) {
      const creditNote = { invoiceId, amount, settle: 'credit', reason: 'other' };
      await api('POST', '/credit-notes', { creditNote });
    }
    const { data } = await graphql(
      `query ($id: ID!) {
        all: creditNotes(where: { total: { min: 200 } }, orderBy: total_desc) {
          nodes { total }
        }
        found: creditNotes(where: { search: "cn-00001" }) { nodes { total } }
        invoice(id: $id) {
          creditNotes(first: 2) { totalCount nodes { total } }
          customer { creditNotes { totalCount } }
        }
      }`,
      { id: invoiceId },
    );
    expect(data).toEqual({
      all: { nodes: [{ total: 300 }, { total: 200 }] },
      found: { nodes: [{ total: 100 }] },
      invoice: {
        creditNotes: { totalCount: 3, nodes: [{ total: 300 }, { total: 100 }] },
        customer: { creditNotes: { totalCount: 3 } },
      },
    });
  });
});

describe('GET /books/{customerId}', () => {
  test('200 with each sum and the equation; 404 for a customer of others', async ({
    api,
    session,
    database,
  }) => {
    const { id: invoiceId, customerId } = await aPaidInvoice(session);
    await anOpenInvoice(session, { customerId });
    const refund = { invoiceId, amount: 300, settle: 'refund', reason: 'other' };
    await api('POST', '/credit-notes', { creditNote: refund });
    await api('POST', '/credit-notes', {
      creditNote: { ...refund, amount: 200, settle: 'credit' },
    });
    expect((await api('GET', `/books/${customerId}`)).body).toEqual({
      books: [
        {
          customerId,
          currency: 'USD',
          invoices: 2_000,
          creditNotes: 500,
          opening: 0,
          prepaid: 0,
          payments: 1_000,
          refunds: 300,
          outstanding: 1_000,
          balances: -200,
          difference: 0,
          prepaidDifference: 0,
          agree: true,
          equation: '2000 - 500 - 1000 + 300 = 1000 + -200',
        },
      ],
    });
    expect((await api('GET', `/books/${customerId}?currency=EUR`)).body).toEqual({ books: [] });
    const other = await aPaidInvoice((await aTenant(database.orm.em)).session);
    expect((await api('GET', `/books/${other.customerId}`)).status).toBe(404);
  });
});
