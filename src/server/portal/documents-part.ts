import { address, type Html, html } from '../pages/html.ts';
import { button } from './button.ts';
import { live } from './live-part.ts';
import { pageLinks } from './page-links.ts';
import type { Document, DueInvoice, Forms, PageOf } from './shapes.ts';
import { statusWords } from './words.ts';

const names = { before: 'documents-before', after: 'documents-after', part: 'documents' } as const;

/** One page of the consolidated invoices, the newest first; nothing for a customer without any. */
export function documentsPart(
  { nodes, pageInfo }: PageOf<Document>,
  due: readonly DueInvoice[],
  forms: Forms,
  canPay: boolean,
): Html | false {
  if (nodes.length === 0 && !pageInfo.hasPreviousPage) return false;
  const { text } = forms.wording;
  return live(
    'documents',
    text('documents'),
    html`${nodes.length === 0 && html`<p class="soft">${text('noOlderDocument')}</p>`}
        <ul>${nodes.map((each) => documentCard(each, forms, canPay ? payable(each, due) : []))}</ul>
        ${pageLinks(pageInfo, names, forms)}`,
  );
}

/** The invoices of a document that can be paid now. */
const payable = ({ id }: Document, due: readonly DueInvoice[]) =>
  due.filter(
    ({ consolidatedInvoiceId, amountDue, isBeingReplaced }) =>
      consolidatedInvoiceId === id && amountDue > 0 && !isBeingReplaced,
  );

function documentCard(document: Document, forms: Forms, due: readonly DueInvoice[]): Html {
  const { wording, isFramed } = forms;
  const { text, money, day } = wording;
  const { id, invoiceNumber: number, invoiceDate, dueDate, status, currency, amountDue } = document;
  const away = isFramed && html` target="_blank" rel="noopener"`;
  const files = [
    [address(document.pdfURL), text('invoicePdf')],
    [address(document.receiptPdfURL), text('receiptPdf')],
  ] as const;
  const amount = money(amountDue, currency);
  const isDue = status === 'open' && amountDue > 0;
  return html`<li class="card" id="${id}"><div class="row"><h3>${number}</h3>
      <span>${money(document.total, currency)}</span></div>
    <p class="soft">${day(invoiceDate)}, ${statusWords(wording, status).toLowerCase()}</p>
    ${isDue && html`<p>${text('toPayUntil', { amount, day: day(dueDate) })}</p>`}
    <div class="links">${files.map(
      ([url, document]) =>
        url &&
        html`
      <a href="${url}"${away} aria-label="${text('documentOf', { document, number })}">${document}</a>`,
    )}
    </div>
    ${isDue && due.length > 0 && payPart(document, forms, due)}</li>`;
}

/** One charge for the invoices of a document that can be paid now. */
function payPart(
  { invoiceNumber: number, currency }: Document,
  forms: Forms,
  due: readonly DueInvoice[],
) {
  const { text, money } = forms.wording;
  const sum = due.reduce((sum, { amountDue }) => sum + amountDue, 0);
  const amount = money(sum, currency);
  const ids = due.map(({ id }) => id).join(' ');
  const label = text('payDocument', { amount, number });
  return html`<div class="actions">${button(forms, 'pay-all', { ids }, text('payNow', { amount }), '', label)}</div>`;
}
