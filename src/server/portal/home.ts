import { address, type Html, html } from '../pages/html.ts';
import { page } from './page.ts';
import { newAttempt } from './portal-session.ts';
import {
  type Billing,
  type Forms,
  type Invoice,
  type InvoicePage,
  isCurrent,
  type Method,
  type Subscription,
} from './shapes.ts';
import { comingUp, day, money, priced, statusWords, sumOf, wordsOf } from './words.ts';

interface Shown extends Forms {
  readonly billing: Billing;
  readonly done?: string | undefined;
  readonly problem?: string | undefined;
}

/** The first page: subscriptions, payment methods and invoices. */
export function homePage({ billing, done, problem, ...forms }: Shown): string {
  const { seller, customer, paymentMethods } = billing;
  const subscriptions = billing.subscriptions.filter(isCurrent).toReversed();
  const { creditBalance, currency } = customer;
  return page({
    title: `Billing – ${seller.name}`,
    brand: seller,
    livemode: customer.livemode,
    body: html`<h1>Billing</h1>
      <p class="soft">${customer.name}, ${customer.email}</p>
      ${done && html`<p class="note" role="status">${done}</p>`}
      ${problem && html`<p class="note bad" role="alert">${problem}</p>`}
      ${creditBalance > 0 && html`<p class="note">You have a credit of ${money(creditBalance, currency ?? '')}. It pays your next invoices.</p>`}
      <section aria-labelledby="subscriptions"><h2 id="subscriptions">Subscriptions</h2>
        ${subscriptions.length === 0 && html`<p class="soft">You have no subscription.</p>`}
        <ul>${subscriptions.map((each) => subscriptionCard(each, forms))}</ul></section>
      <section aria-labelledby="methods"><h2 id="methods">Payment methods</h2>
        ${paymentMethods.length === 0 && html`<p class="soft">You have no payment method.</p>`}
        <ul>${paymentMethods.map((each) => methodCard(each, forms))}</ul>
        ${button(forms, 'add', {}, 'Add a payment method', 'main')}</section>
      ${invoicesPart(billing.invoices, forms, paymentMethods.length > 0)}`,
  });
}

/** A form with one button. Its attempt makes a second submission have the result of the first. */
export function button(
  { base, token }: Forms,
  action: string,
  fields: Readonly<Record<string, string>>,
  text: string,
  kind = '',
): Html {
  const hidden = Object.entries({ ...fields, token, attempt: newAttempt() });
  return html`<form method="post" action="${base}/${action}">${hidden.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="${kind}">${text}</button></form>`;
}

const hints: Readonly<Record<string, string>> = {
  add_payment_method: 'Add a payment method to keep this subscription.',
  replace_payment_method: 'The last payment failed. Add another payment method.',
  confirm_payment: 'Your bank asks you to confirm a payment.',
  await_payment: 'A payment is being processed.',
  pay_invoice: 'An invoice is overdue.',
};

function subscriptionCard(subscription: Subscription, forms: Forms): Html {
  const { id, name, status, currency, interval, intervalCount, pricedItems } = subscription;
  const { cancelScheduledAt, scheduledAdjustmentAt, isFreePlan, nextStep } = subscription;
  const title = name ?? pricedItems[0]?.name ?? 'Subscription';
  const confirm = address(subscription.paymentActionUrl);
  const next = comingUp(subscription);
  const isEnding = cancelScheduledAt !== null;
  return html`<li class="card"><div class="row"><h3>${title}</h3>
      <span class="soft">${statusWords(status)}</span></div>
    <p>${isFreePlan ? 'Free' : priced(sumOf(pricedItems), currency, interval, intervalCount)}</p>
    ${next && html`<p class="soft">${next}</p>`}
    ${scheduledAdjustmentAt !== null && html`<p class="soft">The plan changes on ${day(scheduledAdjustmentAt)}</p>`}
    ${nextStep && html`<p class="bad">${hints[nextStep]}</p>`}
    <div class="actions">
      ${confirm && html`<a class="button main" href="${confirm}">Confirm the payment</a>`}
      ${isEnding && button(forms, 'uncancel', { id }, 'Keep this subscription', 'main')}
      ${!isEnding && html`<a class="button" href="${forms.base}/change?id=${id}" aria-label="Change plan of ${title}">Change plan</a>`}
      ${scheduledAdjustmentAt !== null && button(forms, 'keep-plan', { id }, 'Keep the present plan')}
      ${!isEnding && !isFreePlan && cancelPart(subscription, title, forms)}
    </div></li>`;
}

function cancelPart(
  { id, currentBillingPeriodEnd: end }: Subscription,
  title: string,
  forms: Forms,
) {
  const when = end === null ? 'at the end of its period' : `on ${day(end)}`;
  return html`<details><summary class="danger" aria-label="Cancel ${title}">Cancel</summary>
    <p>The subscription ends ${when}. Until then nothing changes, and you can undo it.</p>
    ${button(forms, 'cancel', { id }, 'Cancel the subscription', 'danger')}</details>`;
}

function methodCard(method: Method, forms: Forms): Html {
  const { id } = method;
  const words = wordsOf(method);
  return html`<li class="card"><div class="row"><h3>${words}</h3>
      ${method.default && html`<span class="soft">Default</span>`}</div>
    ${method.refusedAt !== null && html`<p class="bad">The last payment with it failed.</p>`}
    <div class="actions">
      ${!method.default && button(forms, 'default', { id }, 'Make default')}
      <details><summary class="danger" aria-label="Remove ${words}">Remove</summary>
        <p>It is removed permanently. ${method.default && 'Subscriptions need another payment method then.'}</p>
        ${button(forms, 'detach', { id }, 'Remove it', 'danger')}</details>
    </div></li>`;
}

function invoicesPart({ nodes, pageInfo }: InvoicePage, forms: Forms, canPay: boolean): Html {
  const { hasPreviousPage, hasNextPage, startCursor, endCursor } = pageInfo;
  const link = (way: string, cursor: string | null, text: string) =>
    html`<a class="button" href="${forms.base}?${way}=${encodeURIComponent(cursor ?? '')}#invoices">${text}</a>`;
  return html`<section aria-labelledby="invoices"><h2 id="invoices">Invoices</h2>
        ${nodes.length === 0 && html`<p class="soft">You have no ${hasPreviousPage ? 'older invoice' : 'invoice'}.</p>`}
        <ul>${nodes.map((each) => invoiceCard(each, forms, canPay))}</ul>
        ${
          (hasPreviousPage || hasNextPage) &&
          html`<nav class="actions" aria-label="Pages of invoices">
          ${hasPreviousPage && link('before', startCursor, 'Newer invoices')}
          ${hasNextPage && link('after', endCursor, 'Older invoices')}</nav>`
        }</section>`;
}

function invoiceCard(invoice: Invoice, forms: Forms, canPay: boolean): Html {
  const { id, invoiceNumber, invoiceDate, status, currency, total, amountDue } = invoice;
  const [pdf, receipt] = [address(invoice.pdfURL), address(invoice.receiptPdfURL)];
  const isDue = status === 'open' && amountDue > 0;
  return html`<li class="card"><div class="row"><h3>${invoiceNumber}</h3>
      <span>${money(total, currency)}</span></div>
    <p class="soft">${day(invoiceDate)}, ${statusWords(status).toLowerCase()}</p>
    ${isDue && html`<p>${money(amountDue, currency)} to pay${invoice.dueDate !== null && html`, due on ${day(invoice.dueDate)}`}</p>`}
    <div class="links">
      ${pdf && html`<a href="${pdf}" aria-label="Invoice (PDF) ${invoiceNumber}">Invoice (PDF)</a>`}
      ${receipt && html`<a href="${receipt}" aria-label="Receipt (PDF) ${invoiceNumber}">Receipt (PDF)</a>`}
    </div>
    ${isDue && canPay && html`<div class="actions">${button(forms, 'pay', { id }, `Pay ${money(amountDue, currency)} now`)}</div>`}</li>`;
}
