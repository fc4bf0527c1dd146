import { address, type Html, html } from '../pages/html.ts';
import { alertsPart } from './alerts-part.ts';
import { button } from './button.ts';
import { documentsPart } from './documents-part.ts';
import { invoicesPart } from './invoices-part.ts';
import { live } from './live-part.ts';
import { mailsPart } from './mails-part.ts';
import { reasonPart, sessionPage } from './page.ts';
import { prepaidPart } from './prepaid-part.ts';
import { type Billing, type Forms, isCurrent, type Method, type Subscription } from './shapes.ts';
import type { TextName } from './texts/en.ts';
import type { Wording } from './texts/wording.ts';
import { usagePart } from './usage-part.ts';
import { comingUp, priced, statusWords, sumOf, wordsOf } from './words.ts';

interface Shown extends Forms {
  readonly billing: Billing;
  readonly done?: TextName | undefined;
  readonly problem?: string | undefined;
}

/** The first page: subscriptions, usage, alerts, prepaid credit, payment methods, documents, invoices and mails. */
export function homePage({ billing, done, problem, ...forms }: Shown): string {
  const { wording } = forms;
  const { text, money } = wording;
  const { customer, paymentMethods } = billing;
  const { creditBalance, currency } = customer;
  const canPay = forms.may('payments_write') && paymentMethods.length > 0;
  const body = html`<h1>${text('billing')}</h1>
      <p class="soft"><bdi>${customer.name}</bdi>, <bdi>${customer.email}</bdi></p>
      ${done && html`<p class="note" role="status">${text(done)}</p>`}
      ${problem && html`<p class="note bad" role="alert">${text('refusedText')} ${reasonPart(wording, problem)}</p>`}
      ${creditBalance > 0 && html`<p class="note">${text('credit', { amount: money(creditBalance, currency ?? '') })}</p>`}
      ${subscriptionsPart(billing, forms)}
      ${usagePart(forms, customer.usageMeterBalances, customer.resourceUsages)}
      ${alertsPart(forms, billing)}
      ${prepaidPart(forms, billing)}
      ${methodsPart(paymentMethods, forms)}
      ${documentsPart(billing.documents, billing.due, forms, canPay)}
      ${invoicesPart(billing, forms, canPay)}
      ${mailsPart(forms, billing)}`;
  return sessionPage(billing, forms, { title: text('billing'), body, isLive: true });
}

function subscriptionsPart(billing: Billing, forms: Forms): Html {
  const { text } = forms.wording;
  const subscriptions = billing.subscriptions.filter(isCurrent).toReversed();
  return live(
    'subscriptions',
    text('subscriptions'),
    html`${subscriptions.length === 0 && html`<p class="soft">${text('noSubscription')}</p>`}
        <ul>${subscriptions.map((each) => subscriptionCard(each, forms, billing.mayPause))}</ul>`,
  );
}

const hints: Readonly<Record<string, TextName>> = {
  add_payment_method: 'addPaymentMethodHint',
  replace_payment_method: 'replacePaymentMethodHint',
  confirm_payment: 'confirmPaymentHint',
  await_payment: 'awaitPaymentHint',
  pay_invoice: 'payInvoiceHint',
};

function subscriptionCard(subscription: Subscription, forms: Forms, mayPause: boolean): Html {
  const { wording } = forms;
  const { text, day } = wording;
  const { name, status, currency, interval, intervalCount, pricedItems } = subscription;
  const { scheduledAdjustmentAt, isFreePlan, nextStep } = subscription;
  const title = name ?? pricedItems[0]?.name ?? text('subscription');
  const next = comingUp(wording, subscription);
  const hint = nextStep === null ? undefined : hints[nextStep];
  const price = priced(wording, sumOf(pricedItems), currency, interval, intervalCount);
  return html`<li class="card"><div class="row"><h3 dir="auto">${title}</h3>
      <span class="soft">${statusWords(wording, status)}</span></div>
    <p>${isFreePlan ? text('free') : price}</p>
    ${next && html`<p class="soft">${next}</p>`}
    ${trialsPart(subscription, wording)}
    ${scheduledAdjustmentAt !== null && html`<p class="soft">${text('changesOn', { day: day(scheduledAdjustmentAt) })}</p>`}
    ${hint && html`<p class="bad">${text(hint)}</p>`}
    ${subscriptionActions(subscription, title, { ...forms, mayPause })}</li>`;
}

/** The items in a trial of their own: until when, and their price afterwards. */
function trialsPart({ pricedItems, ...subscription }: Subscription, wording: Wording): Html[] {
  const { text, day } = wording;
  const { currency, interval, intervalCount } = subscription;
  return pricedItems.flatMap(({ name, trialEnd, amountAfterTrial }) => {
    if (trialEnd === null) return [];
    const price = priced(wording, amountAfterTrial, currency, interval, intervalCount);
    return html`<p class="soft">${text('itemTrial', { name, day: day(trialEnd), price })}</p>`;
  });
}

function subscriptionActions(
  subscription: Subscription,
  title: string,
  forms: Forms & { readonly mayPause: boolean },
): Html {
  const { text } = forms.wording;
  const { id, status, cancelScheduledAt, scheduledAdjustmentAt, isFreePlan } = subscription;
  const confirm = address(subscription.paymentActionUrl);
  const isEnding = cancelScheduledAt !== null;
  const mayChange = forms.may('subscriptions_write');
  const away = forms.isFramed && html` target="_blank" rel="noopener"`;
  return html`<div class="actions">
      ${confirm && html`<a class="button main" href="${confirm}"${away}>${text('confirmPayment')}</a>`}
      ${mayChange && isEnding && button(forms, 'uncancel', { id }, text('keepSubscription'), 'main')}
      ${mayChange && forms.mayPause && pausePart(subscription, title, forms)}
      ${mayChange && !isEnding && status !== 'paused' && html`<a class="button" href="${forms.base}/change?id=${id}" aria-label="${text('changePlanOf', { name: title })}">${text('changePlan')}</a>`}
      ${mayChange && scheduledAdjustmentAt !== null && button(forms, 'keep-plan', { id }, text('keepPlan'))}
      ${mayChange && !isEnding && !isFreePlan && status !== 'paused' && cancelPart(subscription, title, forms)}
    </div>`;
}

/** The statuses in which the portal offers a pause. */
const pausable: readonly string[] = ['active', 'trialing', 'past_due', 'unpaid'];

function pausePart(subscription: Subscription, title: string, forms: Forms): Html | false {
  const { text, day } = forms.wording;
  const { id, status, isFreePlan, renews, pauseScheduledAt } = subscription;
  if (status === 'paused') return button(forms, 'resume', { id }, text('resume'), 'main');
  if (pauseScheduledAt !== null)
    return button(forms, 'resume', { id }, text('cancelPause'), 'main');
  const { currentBillingPeriodEnd: end, scheduledAdjustmentAt } = subscription;
  if (isFreePlan || !renews || end === null || scheduledAdjustmentAt !== null) return false;
  if (!pausable.includes(status)) return false;
  return html`<details><summary aria-label="${text('pauseOf', { name: title })}">${text('pause')}</summary>
    <p>${text('pauseText', { day: day(end) })}</p>
    ${button(forms, 'pause', { id }, text('pauseSubscription'))}</details>`;
}

function cancelPart(
  { id, currentBillingPeriodEnd: end }: Subscription,
  title: string,
  forms: Forms,
): Html {
  const { text, day } = forms.wording;
  const ends = end === null ? text('cancelEndsWithPeriod') : text('cancelEnds', { day: day(end) });
  return html`<details><summary class="danger" aria-label="${text('cancelOf', { name: title })}">${text('cancel')}</summary>
    <p>${ends}</p>
    ${button(forms, 'cancel', { id }, text('cancelSubscription'), 'danger')}</details>`;
}

function methodsPart(methods: readonly Method[], forms: Forms): Html {
  const { text } = forms.wording;
  return live(
    'methods',
    text('paymentMethods'),
    html`${methods.length === 0 && html`<p class="soft">${text('noPaymentMethod')}</p>`}
        <ul>${methods.map((each) => methodCard(each, forms))}</ul>
        ${forms.may('payment_methods_write') && button(forms, 'add', {}, text('addPaymentMethod'), 'main')}`,
  );
}

function methodCard(method: Method, forms: Forms): Html {
  const { text } = forms.wording;
  const { id } = method;
  const name = wordsOf(forms.wording, method);
  return html`<li class="card"><div class="row"><h3>${name}</h3>
      ${method.default && html`<span class="soft">${text('default')}</span>`}</div>
    ${method.refusedAt !== null && html`<p class="bad">${text('refused')}</p>`}
    ${
      forms.may('payment_methods_write') &&
      html`<div class="actions">
      ${!method.default && button(forms, 'default', { id }, text('makeDefault'), '', text('makeDefaultOf', { name }))}
      <details><summary class="danger" aria-label="${text('removeOf', { name })}">${text('remove')}</summary>
        <p>${text(method.default ? 'removeDefaultText' : 'removeText')}</p>
        ${button(forms, 'detach', { id }, text('removeIt'), 'danger')}</details>
    </div>`
    }</li>`;
}
