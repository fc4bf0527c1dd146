import { address, type Html, html } from '../pages/html.ts';
import { button } from './button.ts';
import { live } from './live-part.ts';
import { pageLinks } from './page-links.ts';
import type { Billing, DueInvoice, Forms, Invoice } from './shapes.ts';
import { statusWords } from './words.ts';

/** One page of the invoices, the newest first, with the ways to the other pages, and the way to pay all open ones. */
export function invoicesPart(
  { invoices: { nodes, pageInfo }, documents, due }: Billing,
  forms: Forms,
  canPay: boolean,
) {
  const { text } = forms.wording;
  const shown = new Set(documents.nodes.map(({ id }) => id));
  const names = { before: 'before', after: 'after', part: 'invoices' } as const;
  return live(
    'invoices',
    text('invoices'),
    html`${nodes.length === 0 && html`<p class="soft">${text(pageInfo.hasPreviousPage ? 'noOlderInvoice' : 'noInvoice')}</p>`}
        ${canPay && payAllPart(due, forms)}
        <ul>${nodes.map((each) => invoiceCard(each, forms, canPay, shown))}</ul>
        ${pageLinks(pageInfo, names, forms)}`,
  );
}

/** One charge for all open invoices that can be paid now, where there are several in one currency. */
function payAllPart(due: readonly DueInvoice[], forms: Forms): Html | false {
  const { text, money } = forms.wording;
  const unpaid = due.filter(({ amountDue, isBeingReplaced }) => amountDue > 0 && !isBeingReplaced);
  const [currency, another] = new Set(unpaid.map((invoice) => invoice.currency));
  if (unpaid.length < 2 || !currency || another) return false;
  const sum = unpaid.reduce((sum, { amountDue }) => sum + amountDue, 0);
  const ids = unpaid.map(({ id }) => id).join(' ');
  const words = text('payAll', { count: String(unpaid.length), amount: money(sum, currency) });
  return html`<div class="actions">${button(forms, 'pay-all', { ids }, words, 'main')}</div>`;
}

/** An invoice. One of a document that the page shows leads to it. */
function invoiceCard(
  invoice: Invoice,
  forms: Forms,
  canPay: boolean,
  shown: ReadonlySet<string>,
): Html {
  const { wording, isFramed } = forms;
  const { text, money, day } = wording;
  const { id, invoiceNumber, invoiceDate, dueDate, status, currency, total } = invoice;
  const { isBeingReplaced, consolidatedInvoice: document } = invoice;
  const isDue = status === 'open' && invoice.amountDue > 0;
  const amount = money(invoice.amountDue, currency);
  const away = isFramed && html` target="_blank" rel="noopener"`;
  const documents = [
    [address(document ? document.pdfURL : invoice.pdfURL), text('invoicePdf')],
    [address((document ?? invoice).receiptPdfURL), text('receiptPdf')],
    [address(invoice.eInvoice.facturxURL), 'Factur-X'],
    [address(invoice.eInvoice.ublURL), 'UBL'],
  ] as const;
  return html`<li class="card"><div class="row"><h3>${invoiceNumber}</h3>
      <span>${money(total, currency)}</span></div>
    <p class="soft">${day(invoiceDate)}, ${statusWords(wording, status).toLowerCase()}</p>
    ${document && html`<p class="soft">${partOf(document, shown.has(document.id), forms)}</p>`}
    ${isDue && html`<p>${dueDate === null ? text('toPay', { amount }) : text('toPayUntil', { amount, day: day(dueDate) })}</p>`}
    <div class="links">${documents.map(
      ([url, document]) =>
        url &&
        html`
      <a href="${url}"${away} aria-label="${text('documentOf', { document, number: invoiceNumber })}">${document}</a>`,
    )}
    </div>
    ${isDue && canPay && !isBeingReplaced && html`<div class="actions">${button(forms, 'pay', { id }, text('payNow', { amount }))}</div>`}</li>`;
}

function partOf(
  { id, invoiceNumber: number }: NonNullable<Invoice['consolidatedInvoice']>,
  isShown: boolean,
  { wording }: Forms,
): Html {
  const words = wording.text('partOf', { number });
  return isShown ? html`<a href="#${id}">${words}</a>` : html`${words}`;
}
