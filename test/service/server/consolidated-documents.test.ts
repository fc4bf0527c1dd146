import { describe, expect } from 'vitest';
import { membersOf } from '#domain/invoicing/commands/consolidated-invoices/amounts.ts';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { payInvoices } from '#domain/invoicing/commands/invoices/pay-invoices.ts';
import { updateMailSettings } from '#domain/mail/commands/mails/update-mail-settings.ts';
import { pdfText as textOf } from '../../support/answers/pdf-text.ts';
import { aMailer, mailsOf } from '../../support/mails.ts';
import { aMailServer } from '../../support/outside/mail-server.ts';
import { aConsolidatingCustomer, documentsOf } from '../../support/records/consolidated.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('a mailer sends the mails of all organizations');

const sent = { collectionMethod: 'send_invoice', daysUntilDue: 10 } as const;

describe('a consolidated invoice', () => {
  test('is one PDF with a section for each invoice, and one receipt of the whole charge', async ({
    api,
    gateway,
    session,
  }) => {
    const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', [
      { unitPrice: 1_000 },
      { unitPrice: 234 },
    ]);
    await timeline.toDay(31);
    const [document] = await documentsOf(timeline);
    const { consolidatedInvoice } = (await api('GET', `/consolidated-invoices/${document?.id}`))
      .body;
    expect(consolidatedInvoice).toMatchObject({
      ...{ status: 'paid', subtotal: 1_234, total: 1_234, amountPaid: 1_234, amountDue: 0 },
      invoiceNumber: document?.invoiceNumber,
    });
    for (const [kind, url] of [
      ['Invoice', consolidatedInvoice.pdfURL],
      ['Receipt', consolidatedInvoice.receiptPdfURL],
    ]) {
      const response = await gateway.fetch(url);
      expect(response.headers.get('content-disposition')).toBe(
        `inline; filename="${kind.toLowerCase()}-${document?.invoiceNumber}.pdf"`,
      );
      const text = textOf(Buffer.from(await response.arrayBuffer())).split('\n');
      for (const shown of [
        `${kind} ${document?.invoiceNumber}`,
        `${document?.invoiceNumber}-1, 2026-02-01 to 2026-03-01`,
        `${document?.invoiceNumber}-2, 2026-02-01 to 2026-03-01`,
        ...['Date 2026-02-01', 'Status paid', 'USD 10.00', 'USD 2.34', 'USD 12.34'],
      ]) {
        expect(text).toContain(shown);
      }
      expect(text.includes('Paid on 2026-02-01 by card')).toBe(kind === 'Receipt');
    }
  });

  test('has one mail when it is sent, and one for the invoices that are paid together, also at one instant', async ({
    database: { orm },
    session,
  }) => {
    const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', [
      { ...sent, unitPrice: 1_000 },
      { ...sent, unitPrice: 234 },
      { ...sent, unitPrice: 1 },
    ]);
    await updateMailSettings(timeline.fresh(), {
      mailSettings: { kinds: ['invoice', 'receipt', 'payment_failed'] },
    });
    await timeline.toDay(31);
    const [document] = await documentsOf(timeline);
    if (!document) throw new Error('There is no document');
    const [first, ...others] = await membersOf(timeline.fresh(), document);
    const mailer = aMailer(orm, (await aMailServer()).url);
    await mailer.send();
    await payInvoices(timeline.fresh(), { ids: others.map(({ id }) => id) });
    await payInvoice(timeline.fresh(), { id: first?.id ?? '' });
    await mailer.send();
    const mails = (await mailsOf(session)).filter(
      ({ occurredAt }) => occurredAt >= timeline.day(31),
    );
    expect(mails.map(({ kind }) => kind)).toEqual(['invoice', 'receipt', 'receipt']);
    expect(mails[0]?.subject).toContain(document.invoiceNumber);
    expect(mails[0]?.subject).not.toContain(`${document.invoiceNumber}-`);
    expect(mails[0]?.text).toContain('$12.35');
    expect(mails[0]?.html).toContain(`/documents/invoice/${document.id}`);
    expect(mails[1]?.html).toContain(`/documents/receipt/${document.id}`);
    expect(mails[1]?.text).toContain('$2.35');
    expect(mails[2]?.subject).toContain(`${document.invoiceNumber}-1`);
    expect(mails[2]?.text).toContain('$10.00');
    expect(mails[2]?.text).not.toContain('$12.35');
  });

  test('that is declined has one mail with its number', async ({ database: { orm }, session }) => {
    const token = 'sandbox_decline_insufficient_funds';
    const { timeline } = await aConsolidatingCustomer(session, token, [{}, {}]);
    await timeline.toDay(31);
    const [document] = await documentsOf(timeline);
    await aMailer(orm, (await aMailServer()).url).send();
    const failed = (await mailsOf(session)).filter(({ kind }) => kind === 'payment_failed');
    expect(failed).toHaveLength(1);
    expect(failed[0]?.text).toContain(`${document?.invoiceNumber}`);
    expect(failed[0]?.text).not.toContain(`${document?.invoiceNumber}-`);
    expect(failed[0]?.text).toContain('$20.00');
  });
});
