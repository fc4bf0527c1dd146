import type { PrepaidOffer } from '#domain/model/platform/prepaid-offer.ts';
import { type Html, html } from '../pages/html.ts';
import { expiryWords } from './amounts-page.ts';
import { actionForm, button } from './button.ts';
import { reasonPart, sessionPage } from './page.ts';
import type { Billing, Forms, Method } from './shapes.ts';
import type { TextName } from './texts/en.ts';
import { wordsOf } from './words.ts';

/** Why nothing was bought: the words before a reason that the service or the processor states. */
export interface Problem {
  readonly text: TextName;
  readonly reason: string;
  readonly status: number;
}

interface Confirming extends Forms {
  readonly billing: Billing;
  readonly offer: PrepaidOffer;
  readonly amount: number;
  readonly done?: TextName | undefined;
  readonly problem?: Problem | undefined;
}

/** The charge of a purchase, before it is confirmed. */
export function purchasePage({ billing, offer, amount, ...shown }: Confirming): string {
  const { done, problem, ...forms } = shown;
  const { wording } = forms;
  const { text, money } = wording;
  const { currency } = offer;
  const { collectionMethod, creditBalance } = billing.customer;
  const isSent = collectionMethod === 'send_invoice';
  const credit = Math.min(creditBalance, amount);
  const due = amount - credit;
  const body = html`<h1>${text('confirmPurchase')}</h1>
      ${done && html`<p class="note" role="status">${text(done)}</p>`}
      ${problem && html`<p class="note bad" role="alert">${text(problem.text)} ${reasonPart(wording, problem.reason)}</p>`}
      <div class="card"><dl><dt>${text('prepaid')}</dt><dd>${money(amount, currency)}</dd>
        ${credit > 0 && html`<dt>${text('fromCredit')}</dt><dd>${money(-credit, currency)}</dd>`}
        <dt class="sum">${text(isSent ? 'billedNow' : 'chargedOnce')}</dt><dd class="sum">${money(due, currency)}</dd></dl>
        <p class="soft">${expiryWords(offer, forms)}</p>
        ${isSent && due > 0 && html`<p class="soft">${text('invoiceSent')}</p>`}</div>
      ${confirmPart(billing.paymentMethods, { amount, currency, due: isSent ? 0 : due }, forms)}`;
  return sessionPage(billing, forms, { title: text('confirmPurchase'), body });
}

interface Sum {
  readonly amount: number;
  readonly currency: string;
  /** The amount that a payment method is charged. */
  readonly due: number;
}

/** The confirmation with a payment method, or the way to a first one. */
function confirmPart(methods: readonly Method[], sum: Sum, forms: Forms): Html {
  const { text, money } = forms.wording;
  const { amount, currency, due } = sum;
  const fields = { amount: String(amount), currency };
  const other = html`<a class="button" href="${forms.base}/buy">${text('otherPurchase')}</a>`;
  const words = text('buyFor', { amount: money(amount, currency) });
  if (due > 0 && methods.length === 0) {
    const { amount } = fields;
    return html`<p>${text('noPaymentMethod')}</p>
      <div class="actions">${forms.may('payment_methods_write') && button(forms, 'add', { amount }, text('addPaymentMethod'), 'main')}${other}</div>`;
  }
  const choice = due > 0 && methodChoice(methods, forms);
  return actionForm(
    forms,
    'buy',
    fields,
    html`${choice}<div class="actions"><button class="main">${words}</button>${other}</div>`,
  );
}

/** The payment methods to choose from, or the only one in words. */
function methodChoice(methods: readonly Method[], { wording }: Forms): Html {
  const { text } = wording;
  const [only, another] = methods;
  if (only && !another)
    return html`<input type="hidden" name="method" value="${only.id}"><p>${text('chargedWith', { method: wordsOf(wording, only) })}</p>`;
  const chosen = methods.find((method) => method.default) ?? only;
  return html`<fieldset><legend>${text('payWith')}</legend>${methods.map(
    (method) =>
      html`<label class="plan"><input type="radio" name="method" value="${method.id}" required${method === chosen && html` checked`}>
      <span>${wordsOf(wording, method)}</span></label>`,
  )}</fieldset>`;
}
