import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import {
  type DocumentKind,
  documentLink,
  documentSecretOf,
} from '#domain/platform/access/document-link.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { pdfText as textOf } from '../../support/answers/pdf-text.ts';
import { aDraft, anOpenInvoice, aPaidInvoice, fresh } from '../../support/factories.ts';
import { aSentInvoice } from '../../support/mails.ts';
import { aTenant } from '../../support/tenant.ts';
import { test } from '../../support/test.ts';

/** A link as the service signs it, whatever the invoice is. */
async function linkTo(session: Session, id: string, kind: DocumentKind, now = new Date()) {
  const documentSecret = documentSecretOf(await settingsOf({ ...session, em: session.em.fork() }));
  return documentLink('http://test', documentSecret, { id }, kind, now);
}

describe('A signed link', () => {
  test('200 with the invoice as PDF, without a key', async ({ api, session, gateway }) => {
    const { id, invoiceNumber } = await anOpenInvoice(session, {
      memo: 'Thank you',
      lines: [
        { quantity: 3, price: 41_150, description: 'Consulting' },
        { quantity: 1, price: 6, description: 'Stamp' },
      ],
    });
    const { pdfURL } = (await api('GET', `/invoices/${id}`)).body.invoice;
    const response = await gateway.fetch(pdfURL);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('content-disposition')).toBe(
      `inline; filename="invoice-${invoiceNumber}.pdf"`,
    );
    const pdf = Buffer.from(await response.arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    const text = textOf(pdf).split('\n');
    for (const shown of [`Invoice ${invoiceNumber}`, 'Status open', 'Ada', 'ada@example.com']) {
      expect(text).toContain(shown);
    }
    for (const shown of ['Consulting', 'USD 411.50', 'USD 1,234.50', 'Stamp', 'USD 0.06']) {
      expect(text).toContain(shown);
    }
    expect(text).toContain('USD 1,234.56');
    expect(text).toContain('Thank you');
  });

  test('200 with the receipt, which shows what was paid and what went back', async ({
    api,
    session,
    gateway,
  }) => {
    const { id, invoiceNumber } = await aPaidInvoice(session);
    const payment = (await api('GET', '/payments')).body.data[0];
    await api('POST', `/payments/${payment.id}/refund`, { partialAmount: 250 });
    const { receiptPdfURL } = (await api('GET', `/invoices/${id}`)).body.invoice;
    for (const url of [receiptPdfURL, payment.receiptURL]) {
      const response = await gateway.fetch(url);
      expect(response.status).toBe(200);
      const text = textOf(Buffer.from(await response.arrayBuffer()));
      expect(text).toContain(`Receipt ${invoiceNumber}`);
      expect(text).toMatch(/Paid on \d{4}-\d{2}-\d{2} by card/);
      expect(text).toContain('Refunded');
      expect(text).toContain('-USD 2.50');
    }
  });

  test('shows on an invoice that is paid in part what is still due', async ({
    api,
    session,
    gateway,
  }) => {
    const { id } = await anOpenInvoice(session, {
      lines: [{ quantity: 1, price: 10_000, description: 'Consulting' }],
    });
    const shownOf = async () => {
      const { pdfURL } = (await api('GET', `/invoices/${id}`)).body.invoice;
      const response = await gateway.fetch(pdfURL);
      return textOf(Buffer.from(await response.arrayBuffer()));
    };
    expect(await shownOf()).not.toContain('Amount due');
    await api('POST', `/invoices/${id}/payments`, { amount: 4_000, method: 'bank_transfer' });
    const creditNote = { invoiceId: id, amount: 1_000, settle: 'write_off', reason: 'other' };
    await api('POST', '/credit-notes', { creditNote });
    const text = await shownOf();
    expect(text).toMatch(/Paid on \d{4}-\d{2}-\d{2} by bank transfer\n?/);
    for (const shown of ['USD 40.00', 'Written off by credit notes', 'USD 10.00', 'Amount due']) {
      expect(text).toContain(shown);
    }
    expect(text.split('\n')).toContain('USD 50.00');
  });

  test('shows how to transfer the amount of a sent invoice while it is open, and of no other one', async ({
    api,
    session,
    gateway,
  }) => {
    const bankAccount = { holder: 'Ada & Co.', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };
    await updateOrganization(fresh(session), { organization: { bankAccount } });
    const shownOf = async (id: string) => {
      const { pdfURL } = (await api('GET', `/invoices/${id}`)).body.invoice;
      return textOf(Buffer.from(await (await gateway.fetch(pdfURL)).arrayBuffer())).split('\n');
    };
    const charged = await anOpenInvoice(session);
    expect(await shownOf(charged.id)).not.toContain('Payment by transfer');
    const { id, total } = await aSentInvoice(session);
    const { invoiceNumber } = (await api('GET', `/invoices/${id}`)).body.invoice;
    const shown = await shownOf(id);
    const from = shown.indexOf('Payment by transfer');
    expect(shown.slice(from, from + 5)).toEqual([
      'Payment by transfer',
      'Recipient Ada & Co.',
      'IBAN DE89 3704 0044 0532 0130 00',
      'BIC COBADEFFXXX',
      `Reference ${invoiceNumber}`,
    ]);
    const payment = { amount: total, method: 'bank_transfer' };
    expect((await api('POST', `/invoices/${id}/payments`, payment)).status).toBe(200);
    expect(await shownOf(id)).not.toContain('Payment by transfer');
  });

  test.for([
    [false, 'VAT 19 %', 'USD 1.90', 'USD 11.90'],
    [true, 'of which VAT 19 %', 'USD 1.60', 'USD 10.00'],
  ] as const)(
    'shows tax, contained in prices or not (%s)',
    async ([taxInclusive, label, tax, total], { api, session, graphql, gateway }) => {
      const organization = { taxType: 'vat', taxRatePercentage: '19', taxInclusive };
      await graphql(
        'mutation($organization: UpdateOrganizationInput!) { updateOrganization(organization: $organization) { organization { id } } }',
        { organization },
      );
      const { id } = await anOpenInvoice(session);
      const { pdfURL } = (await api('GET', `/invoices/${id}`)).body.invoice;
      const pdf = Buffer.from(await (await gateway.fetch(pdfURL)).arrayBuffer());
      const text = textOf(pdf).split('\n');
      for (const shown of ['Subtotal', 'USD 10.00', label, tax, 'Total', total]) {
        expect(text).toContain(shown);
      }
    },
  );

  test.for([
    ['JPY', ['JPY 1,234', 'JPY 2,468', 'JPY 494', 'JPY 2,962']],
    ['KWD', ['KWD 1.234', 'KWD 2.468', 'KWD 0.494', 'KWD 2.962']],
  ] as const)(
    'shows amounts with the decimals of %s, and tax rounded to its minor unit',
    async ([currency, shown], { api, session, gateway, graphql }) => {
      await graphql(
        'mutation { updateOrganization(organization: { taxType: vat, taxRatePercentage: "20" }) { organization { id } } }',
      );
      const lines = [{ quantity: 2, price: 1_234 }];
      const { id } = await anOpenInvoice(session, { currency, lines });
      const { pdfURL } = (await api('GET', `/invoices/${id}`)).body.invoice;
      const pdf = Buffer.from(await (await gateway.fetch(pdfURL)).arrayBuffer());
      const text = textOf(pdf).split('\n');
      for (const amount of shown) expect(text).toContain(amount);
      const { data } = await graphql(`{ explainInvoice(id: "${id}") { steps } }`);
      expect(data.explainInvoice.steps).toContain(`total: ${shown[1]} + ${shown[2]} = ${shown[3]}`);
    },
  );

  test('200 for more lines than fit on one page', async ({ api, session, gateway }) => {
    const lines = Array.from({ length: 120 }, (_, index) => ({
      quantity: 1,
      price: index,
      description: `Line ${index}`,
    }));
    const { id } = await anOpenInvoice(session, { lines });
    const { pdfURL } = (await api('GET', `/invoices/${id}`)).body.invoice;
    const pdf = Buffer.from(await (await gateway.fetch(pdfURL)).arrayBuffer());
    const text = textOf(pdf).split('\n');
    for (const { description } of lines) expect(text).toContain(description);
    const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g) ?? [];
    expect(pages.length).toBeGreaterThanOrEqual(3);
    expect(pages.length).toBeLessThan(8);
  });

  test('works for a day and a little', async ({ session, gateway }) => {
    const { id } = await anOpenInvoice(session);
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
    for (const [ago, status] of [
      [0, 200],
      [23, 200],
      [26, 404],
    ] as const) {
      const url = await linkTo(session, id, 'invoice', hours(ago));
      expect((await gateway.fetch(url)).status, `${ago} hours old`).toBe(status);
    }
  });

  test('404 with a signature for anything else', async ({ session, gateway, database }) => {
    const { id } = await aPaidInvoice(session);
    const other = await aPaidInvoice(session);
    const stranger = await aTenant(database.orm.em);
    const url = new URL(await linkTo(session, id, 'invoice'));
    const forged = [
      url.pathname,
      `${url.pathname}?expires=${url.searchParams.get('expires')}`,
      `${url.pathname}?expires=${url.searchParams.get('expires')}&signature=`,
      `${url.pathname}?expires=${url.searchParams.get('expires')}&signature=AAAA`,
      `${url.pathname}?expires=9999999999999&signature=${url.searchParams.get('signature')}`,
      `${url.pathname}?expires=x&signature=${url.searchParams.get('signature')}`,
      `/documents/invoice/${other.id}${url.search}`,
      `/documents/receipt/${id}${url.search}`,
      `/documents/refund/${id}${url.search}`,
      `/documents/invoice/inv_none${url.search}`,
      new URL(await linkTo(stranger.session, id, 'invoice')).href.replace('http://test', ''),
    ];
    for (const path of forged) {
      const response = await gateway.fetch(`http://test${path}`);
      expect(response.status, path).toBe(404);
      expect(await response.text()).not.toContain('%PDF');
    }
    expect((await gateway.fetch(url.href)).status).toBe(200);
  });

  test.for(['HEAD', 'POST', 'PUT', 'DELETE'])(
    '%s is not served',
    async (method, { session, gateway }) => {
      const { id } = await anOpenInvoice(session);
      const response = await gateway.fetch(await linkTo(session, id, 'invoice'), { method });
      expect(response.status).toBe(404);
    },
  );

  test('404 for a receipt of what is not paid and for a draft, even when signed', async ({
    session,
    gateway,
  }) => {
    const draft = await aDraft(session);
    const open = await anOpenInvoice(session);
    for (const [{ id }, kind] of [
      [draft, 'invoice'],
      [draft, 'receipt'],
      [open, 'receipt'],
    ] as const) {
      expect((await gateway.fetch(await linkTo(session, id, kind))).status).toBe(404);
    }
  });
});

test('a new secret ends the links of its own mode from before, and new ones work', async ({
  session,
  gateway,
  graphql,
}) => {
  const { id } = await anOpenInvoice(session);
  const old = await linkTo(session, id, 'invoice');
  expect((await gateway.fetch(old)).status).toBe(200);
  const { data } = await graphql(
    'mutation { rotateDocumentSecret { organization { livemode documentLinksValidFrom } } }',
  );
  expect(data.rotateDocumentSecret.organization).toEqual({
    livemode: false,
    documentLinksValidFrom: expect.any(Number),
  });
  expect((await gateway.fetch(old)).status).toBe(404);
  expect((await gateway.fetch(await linkTo(session, id, 'invoice'))).status).toBe(200);
});
