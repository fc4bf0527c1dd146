import { type Html, html } from '../pages/html.ts';
import { button } from './home.ts';
import { page } from './page.ts';
import type { Billing, Forms, Plan, Preview, Subscription } from './shapes.ts';
import { day, money, paidWith, priced, sumOf } from './words.ts';

interface Shown extends Forms {
  readonly billing: Billing;
  readonly subscription: Subscription;
  readonly plans: readonly Plan[];
}

const nameOf = ({ name, product }: Plan) =>
  product && name && name !== product.name
    ? `${product.name}: ${name}`
    : (product?.name ?? name ?? '');

const around = ({ seller, customer }: Billing, title: string, body: Html) =>
  page({ title: `${title} – ${seller.name}`, brand: seller, livemode: customer.livemode, body });

/** The plans to which a subscription can change. */
export function plansPage({ base, billing, subscription, plans }: Shown): string {
  const { id, currency, interval, intervalCount, pricedItems, price } = subscription;
  const others = plans.filter((plan) => plan.id !== price?.id && !plan.product?.default);
  return around(
    billing,
    'Change plan',
    html`<h1>Change plan</h1>
      <p>Now: ${subscription.name ?? pricedItems[0]?.name}, ${priced(sumOf(pricedItems), currency, interval, intervalCount)}</p>
      ${others.length === 0 && html`<p class="note">There is no other plan.</p>`}
      ${
        others.length > 0 &&
        html`<form method="get" action="${base}/change"><input type="hidden" name="id" value="${id}">
        <fieldset><legend>Choose a plan. The next page shows the charge, and nothing changes before you confirm.</legend>
        ${others.map(
          (
            plan,
            place,
          ) => html`<label class="plan"><input type="radio" name="plan" value="${plan.id}" required${place === 0 && html` checked`}>
          <span><b>${nameOf(plan)}</b><br>${priced(plan.unitPrice, plan.currency, plan.intervalUnit, plan.intervalCount)}
          ${plan.product?.description && html`<br><span class="soft">${plan.product.description}</span>`}</span></label>`,
        )}</fieldset>
        <div class="actions"><button class="main">See what is charged</button><a class="button" href="${base}">Back</a></div></form>`
      }
      ${others.length === 0 && html`<p><a class="button" href="${base}">Back</a></p>`}`,
  );
}

interface Previewed extends Forms {
  readonly billing: Billing;
  readonly subscription: Subscription;
  readonly plan: Plan;
  readonly preview: Preview;
}

/** The charge of a change of the plan, before it is confirmed. */
export function previewPage({ billing, subscription, plan, preview, ...forms }: Previewed): string {
  const { id, currency } = subscription;
  const back = html`<a class="button" href="${forms.base}/change?id=${id}">Choose another plan</a>`;
  const isNow = preview.resolvedTiming === 'immediately';
  const method = paidWith(preview);
  const rows: readonly (readonly [string, number | null])[] = [
    ['Now, for a period', preview.currentPlanTotal],
    ['Then, for a period', preview.newPlanTotal],
    ['For the rest of this period, before tax', isNow ? preview.prorationAmount : null],
    ['Added to your credit', preview.creditAmount || null],
  ];
  return around(
    billing,
    'Confirm the change',
    html`<h1>Confirm the change</h1>
      <p>To <b>${nameOf(plan)}</b>, ${priced(plan.unitPrice, plan.currency, plan.intervalUnit, plan.intervalCount)}</p>
      ${!preview.canAdjust && html`<p class="note bad" role="alert">This change is not possible: ${preview.reason}</p><div class="actions">${back}</div>`}
      ${
        preview.canAdjust &&
        html`<div class="card"><dl>${rows.map(
          ([text, amount]) =>
            amount !== null && html`<dt>${text}</dt><dd>${money(amount, currency)}</dd>`,
        )}
        <dt class="sum">Charged now, with tax</dt><dd class="sum">${money(isNow ? (preview.amountDue ?? 0) : 0, currency)}</dd></dl>
        ${isNow && method && (preview.amountDue ?? 0) > 0 && html`<p class="soft">Charged to ${method}. The amount for the rest of the period is computed when you confirm.</p>`}
        ${!isNow && preview.effectiveDate !== null && html`<p class="soft">The plan changes on ${day(preview.effectiveDate)}.</p>`}</div>
        <div class="actions">${button(forms, 'change', { id, plan: plan.id }, 'Confirm the change', 'main')}${back}</div>`
      }`,
  );
}

/** The page that leads to the payment processor. A form of this page may not, so a link and a refresh do. */
export const leavePage = ({ seller, customer }: Billing, url: string) =>
  page({
    title: `Add a payment method – ${seller.name}`,
    brand: seller,
    livemode: customer.livemode,
    next: url,
    body: html`<h1>Add a payment method</h1><p>You enter it on the page of the payment processor.</p>
      <p><a class="button main" href="${url}">Continue</a></p>`,
  });
