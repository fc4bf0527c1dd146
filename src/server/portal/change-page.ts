import { type Html, html } from '../pages/html.ts';
import { hasTerms, priceLines } from '../pages/price-lines.ts';
import { button } from './button.ts';
import { reasonPart, sessionPage } from './page.ts';
import type { Billing, Forms, Plan, Preview, Subscription } from './shapes.ts';
import type { Wording } from './texts/wording.ts';
import { paidWith, priced, sumOf } from './words.ts';

interface Shown extends Forms {
  readonly billing: Billing;
  readonly subscription: Subscription;
  readonly plans: readonly Plan[];
}

const nameOf = ({ name, product }: Plan) =>
  product && name && name !== product.name
    ? `${product.name}: ${name}`
    : (product?.name ?? name ?? '');

/** The plans to which a subscription can change. */
export function plansPage({ billing, subscription, plans, ...forms }: Shown): string {
  const { base, wording } = forms;
  const { text } = wording;
  const { id, currency, interval, intervalCount, pricedItems, price } = subscription;
  const others = plans.filter((plan) => plan.id !== price?.id && !plan.product?.default);
  const present = {
    name: subscription.name ?? pricedItems[0]?.name ?? '',
    price: priced(wording, sumOf(pricedItems), currency, interval, intervalCount),
  };
  const body = html`<h1>${text('changePlan')}</h1>
      <p>${text('now', present)}</p>
      ${others.length === 0 && html`<p class="note">${text('noOtherPlan')}</p>`}
      ${
        others.length > 0 &&
        html`<form method="get" action="${base}/change"><input type="hidden" name="id" value="${id}">
        <fieldset><legend>${text('choosePlan')}</legend>
        ${others.map((plan) => planPart(plan, forms))}</fieldset>
        <div class="actions"><button class="main">${text('seeCharge')}</button><a class="button" href="${base}">${text('back')}</a></div></form>`
      }
      ${others.length === 0 && html`<p><a class="button" href="${base}">${text('back')}</a></p>`}`;
  return sessionPage(billing, forms, { title: text('changePlan'), body });
}

function planPart(plan: Plan, { wording }: Forms): Html {
  const { id, product } = plan;
  const lines = priceLines(plan, wording);
  return html`<label class="plan"><input type="radio" name="plan" value="${id}" required>
          <span><b dir="auto">${nameOf(plan)}</b><br>${planPrice(plan, wording)}
          ${lines.map((line) => html`<br><span class="soft">${line}</span>`)}
          ${product?.description && html`<br><span class="soft" dir="auto">${product.description}</span>`}</span></label>`;
}

/** The amount of a plan for a quantity of 1, and how often it is charged. */
function planPrice(plan: Plan, wording: Wording): string {
  const { amount, currency, intervalUnit, intervalCount } = plan;
  const price = priced(wording, amount, currency, intervalUnit, intervalCount);
  return hasTerms(plan) ? wording.text('fromPrice', { price }) : price;
}

interface Previewed extends Forms {
  readonly billing: Billing;
  readonly subscription: Subscription;
  readonly plan: Plan;
  readonly preview: Preview;
}

/** The charge of a change of the plan, before it is confirmed. */
export function previewPage({ billing, subscription, plan, preview, ...forms }: Previewed): string {
  const { base, wording } = forms;
  const { text } = wording;
  const back = html`<a class="button" href="${base}/change?id=${subscription.id}">${text('chooseAnother')}</a>`;
  const price = planPrice(plan, wording);
  const body = html`<h1>${text('confirmChange')}</h1>
      <p>${text('changeTo', { name: nameOf(plan), price })}</p>
      ${!preview.canAdjust && html`<p class="note bad" role="alert">${text('notPossible')} ${reasonPart(wording, preview.reason)}</p><div class="actions">${back}</div>`}
      ${
        preview.canAdjust &&
        html`${chargePart(preview, subscription, forms)}
        <div class="actions">${button(forms, 'change', { id: subscription.id, plan: plan.id }, text('confirmChange'), 'main')}${back}</div>`
      }`;
  return sessionPage(billing, forms, { title: text('confirmChange'), body });
}

function chargePart(preview: Preview, { currency }: Subscription, { wording }: Forms): Html {
  const { text, money, day } = wording;
  const isNow = preview.resolvedTiming === 'immediately';
  const due = isNow ? (preview.amountDue ?? 0) : 0;
  const method = paidWith(wording, preview);
  const rows: readonly (readonly [string, number | null])[] = [
    [text('nowForPeriod'), preview.currentPlanTotal],
    [text('thenForPeriod'), preview.newPlanTotal],
    [text('restOfPeriod'), isNow ? preview.prorationAmount : null],
    [text('addedToCredit'), preview.creditAmount || null],
  ];
  return html`<div class="card"><dl>${rows.map(
    ([name, amount]) =>
      amount !== null && html`<dt>${name}</dt><dd>${money(amount, currency)}</dd>`,
  )}
        <dt class="sum">${text('chargedNow')}</dt><dd class="sum">${money(due, currency)}</dd></dl>
        ${due > 0 && method && html`<p class="soft">${text('chargedTo', { method })}</p>`}
        ${!isNow && preview.effectiveDate !== null && html`<p class="soft">${text('changesLater', { day: day(preview.effectiveDate) })}</p>`}</div>`;
}
