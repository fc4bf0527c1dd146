import { type Html, html } from '../pages/html.ts';
import { live } from './live-part.ts';
import type { Alert, Billing, Crossing, Forms } from './shapes.ts';
import { isCurrent } from './shapes.ts';
import type { TextName } from './texts/en.ts';
import type { Wording } from './texts/wording.ts';

const kinds: Readonly<Record<string, TextName>> = {
  usage: 'alertUsage',
  projected_usage: 'alertProjectedUsage',
  spend: 'alertSpend',
  credits: 'alertCredits',
  credit_hours: 'alertCreditHours',
  credit_expiry: 'alertCreditExpiry',
};

/** The alerts and limits on the current subscriptions of a customer, and the thresholds that are reached now. */
export function alertsPart({ wording }: Forms, { alerts, subscriptions }: Billing): Html | false {
  const current = new Set(subscriptions.filter(isCurrent).map(({ id }) => id));
  const shown = alerts.filter(({ subscription }) => !subscription || current.has(subscription.id));
  if (shown.length === 0) return false;
  const cards = shown.map((alert) => alertCard(alert, current, wording));
  return live('alerts', wording.text('alerts'), html`<ul>${cards}</ul>`);
}

function alertCard(alert: Alert, current: ReadonlySet<string>, wording: Wording): Html {
  const { kind, threshold, percentages, hardLimit, name, subscription, usageMeter } = alert;
  const { text, number, money } = wording;
  const watched = text(kinds[kind] ?? 'alertUsage', { meter: usageMeter?.name ?? '' });
  const amount = kind === 'spend' ? money(threshold, alert.currency) : number(threshold);
  const others = percentages.map((one) => `${number(one)} %`).join(', ');
  const reached = alert.crossings.nodes.filter((one) => isPresent(one, current));
  return html`<li class="card"><div class="row"><h3 dir="auto">${name ?? watched}</h3>
      <span>${text(hardLimit ? 'limitAt' : 'alertAt', { amount })}</span></div>
    ${name !== null && html`<p class="soft" dir="auto">${watched}</p>`}
    ${subscription?.name && html`<p class="soft" dir="auto">${subscription.name}</p>`}
    ${others && html`<p class="soft">${text('alertAlsoAt', { others })}</p>`}
    ${reached.map(({ percentage }) => html`<p class="bad">${text('alertReached', { share: `${number(percentage)} %` })}</p>`)}</li>`;
}

/** Whether a crossing is about a current subscription, and about its present period or no period at all. */
const isPresent = ({ subscription, billingPeriod }: Crossing, current: ReadonlySet<string>) =>
  current.has(subscription.id) &&
  (!billingPeriod || billingPeriod.endDate === subscription.currentBillingPeriodEnd);
