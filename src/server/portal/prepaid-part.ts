import { address, type Html, html } from '../pages/html.ts';
import type { OrderedCredit, PrepaidCredit } from './credit-shapes.ts';
import { live } from './live-part.ts';
import type { Billing, Forms } from './shapes.ts';
import type { TextName } from './texts/en.ts';
import type { Wording } from './texts/wording.ts';
import { orderPart, unpaidOf } from './unpaid-page.ts';

const sources: Readonly<Record<string, TextName>> = {
  purchase: 'prepaidBought',
  gift: 'prepaidGiven',
  top_up: 'prepaidToppedUp',
};

/** The prepaid balance of a customer, its credits in the order in which invoices use them, and the way to buy more. */
export function prepaidPart(forms: Forms, billing: Billing): Html | false {
  const { text, money } = forms.wording;
  const { customer, prepaidCredits, prepaidOffer, orders } = billing;
  const unpaid = unpaidOf(billing);
  const mayBuy = !unpaid && prepaidOffer !== null && forms.may('payments_write');
  if (prepaidCredits.length + orders.length === 0 && !mayBuy) return false;
  const cards = prepaidCredits.toSorted(byUse).map((credit) => creditCard(credit, forms.wording));
  const [{ currency } = { currency: null }] = prepaidCredits;
  const left =
    currency && text('prepaidLeft', { amount: money(customer.prepaidBalance, currency) });
  const body = html`<p>${left ?? text('prepaidNone')}</p>
    <ul>${cards}${orders.map((order) => orderCard(order, order === unpaid, forms))}</ul>
    ${mayBuy && html`<div class="actions"><a class="button" href="${forms.base}/buy">${text('buyCredit')}</a></div>`}`;
  return live('prepaid', text('prepaid'), body);
}

/** The lowest priority number first, then the earliest expiry; the oldest stay first among equals. */
const byUse = (one: PrepaidCredit, other: PrepaidCredit) =>
  one.priority - other.priority ||
  (one.expiresAt ?? Number.MAX_SAFE_INTEGER) - (other.expiresAt ?? Number.MAX_SAFE_INTEGER);

function creditCard(credit: PrepaidCredit, { text, money, day }: Wording): Html {
  const { source, currency, expiresAt } = credit;
  const [remaining, amount] = [credit.remaining, credit.amount].map((part) =>
    money(part, currency),
  );
  return html`<li class="card"><div class="row"><h3>${text(sources[source] ?? 'prepaidGiven')}</h3>
      <span>${text('prepaidOf', { remaining: remaining ?? '', amount: amount ?? '' })}</span></div>
    <p class="soft">${expiresAt === null ? text('prepaidStays') : text('prepaidExpires', { day: day(expiresAt) })}</p></li>`;
}

/** Credit that is ordered and not paid, with the way to its payment. */
function orderCard(order: OrderedCredit, isUnpaid: boolean, forms: Forms): Html {
  const { text, money } = forms.wording;
  const { amount, currency, invoice } = order;
  const confirm = address(invoice?.paymentActionUrl);
  const away = forms.isFramed && html` target="_blank" rel="noopener"`;
  return html`<li class="card"><div class="row"><h3>${text('prepaidOrdered')}</h3>
      <span>${money(amount, currency)}</span></div>${orderPart(order, forms)}
    ${confirm && html`<div class="actions"><a class="button main" href="${confirm}"${away}>${text('confirmPayment')}</a></div>`}
    ${isUnpaid && html`<div class="actions"><a class="button" href="${forms.base}/buy">${text('howToPay')}</a></div>`}</li>`;
}
