import { ibanText } from '#domain/model/platform/parties.ts';
import { address, type Html, html } from '../pages/html.ts';
import { button } from './button.ts';
import type { OrderedCredit } from './credit-shapes.ts';
import { sessionPage } from './page.ts';
import type { Billing, Forms } from './shapes.ts';
import type { TextName } from './texts/en.ts';

/** The purchase of the customer that is to be paid before the next one. One that waits for a confirmation is none. */
export const unpaidOf = ({ orders }: Billing): OrderedCredit | undefined =>
  orders.find(
    ({ boughtByCustomer, invoice }) => boughtByCustomer && !address(invoice?.paymentActionUrl),
  );

interface Unpaid extends Forms {
  readonly billing: Billing;
  readonly order: OrderedCredit;
  readonly done?: TextName | undefined;
}

/** The open invoice of a purchase, and how it is paid. */
export function unpaidPage({ billing, order, done, ...forms }: Unpaid): string {
  const { base, wording } = forms;
  const { text, money } = wording;
  const body = html`<h1>${text('unpaidPurchase')}</h1>
      ${done && html`<p class="note" role="status">${text(done)}</p>`}
      <div class="card"><div class="row"><h2 class="small">${text('prepaid')}</h2><span>${money(order.amount, order.currency)}</span></div>
        ${orderPart(order, forms)}</div>
      ${transferPart(billing, order, forms)}
      <p class="soft">${text('oneAtATime')}</p>
      <div class="actions">${payPart(billing, order, forms)}<a class="button" href="${base}">${text('backToBilling')}</a></div>`;
  return sessionPage(billing, forms, { title: text('unpaidPurchase'), body });
}

/** The invoice of an order, and what is to be paid of it. */
export function orderPart({ invoice }: OrderedCredit, { wording, isFramed }: Forms): Html {
  const { text, money, day } = wording;
  if (!invoice) return html`<p class="soft">${text('creditWaits')}</p>`;
  const { invoiceNumber, currency, amountDue, dueDate, status } = invoice;
  const amount = money(amountDue, currency);
  const url = address(invoice.pdfURL);
  const label = text('documentOf', { document: text('invoicePdf'), number: invoiceNumber });
  const away = isFramed && html` target="_blank" rel="noopener"`;
  return html`<p class="soft">${text('creditWaits')}</p>
    ${status === 'open' && html`<p>${dueDate === null ? text('toPay', { amount }) : text('toPayUntil', { amount, day: day(dueDate) })}</p>`}
    ${status === 'awaiting_payment_confirmation' && html`<p>${text('awaitPaymentHint')}</p>`}
    ${url && html`<div class="links"><a href="${url}"${away}>${label}</a></div>`}`;
}

/** The bank account of the seller, for the transfer to an invoice that was sent. */
function transferPart({ seller }: Billing, { invoice }: OrderedCredit, { wording }: Forms) {
  const { text } = wording;
  const { bankAccount } = seller;
  if (invoice?.status !== 'open' || invoice.collectionMethod !== 'send_invoice') return false;
  if (!bankAccount) return false;
  const { holder, bic } = bankAccount;
  return html`<section aria-labelledby="transfer"><h2 id="transfer">${text('byTransfer')}</h2>
      <div class="card"><dl class="long"><dt>${text('recipient')}</dt><dd><bdi>${holder ?? seller.name}</bdi></dd>
        <dt>IBAN</dt><dd>${ibanText(bankAccount)}</dd>
        ${bic && html`<dt>BIC</dt><dd>${bic}</dd>`}
        <dt>${text('reference')}</dt><dd>${invoice.invoiceNumber}</dd></dl></div></section>`;
}

/** The payment of an open invoice with a payment method. */
function payPart({ paymentMethods }: Billing, { invoice }: OrderedCredit, forms: Forms) {
  if (invoice?.status !== 'open' || paymentMethods.length === 0) return false;
  if (!forms.may('payments_write')) return false;
  const { text, money } = forms.wording;
  const amount = money(invoice.amountDue, invoice.currency);
  return button(forms, 'pay', { id: invoice.id }, text('payNow', { amount }), 'main');
}
