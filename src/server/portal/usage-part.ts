import { type Html, html } from '../pages/html.ts';
import { live } from './live-part.ts';
import type { Balance, Capacity, Forms } from './shapes.ts';
import type { Wording } from './texts/wording.ts';

/** The usage of meters in the present period, and of capacity. They change while the page is open. */
export const usagePart = (
  { wording }: Forms,
  balances: readonly Balance[],
  capacities: readonly Capacity[],
): Html => html`
      ${balances.length > 0 && live('usage', wording.text('usage'), html`<ul>${balances.map((each) => balanceCard(each, wording))}</ul>`)}
      ${capacities.length > 0 && live('seats', wording.text('seats'), html`<ul>${capacities.map((each) => capacityCard(each, wording))}</ul>`)}`;

function balanceCard(balance: Balance, { text, number, day }: Wording): Html {
  const { name, used, granted, overage, rolledOver, runsOutAt } = balance;
  const isLimited = granted > 0;
  const amounts = { used: number(used), granted: number(granted) };
  return html`<li class="card"><div class="row"><h3 dir="auto">${name}</h3>
      <span>${text(isLimited ? 'usedOf' : 'used', amounts)}</span></div>
    ${isLimited && bar(text('usageOf', { name }), used, granted)}
    ${isLimited && overage > 0 && html`<p class="soft">${text('overage', { overage: number(overage) })}</p>`}
    ${rolledOver > 0 && html`<p class="soft">${text('rolledOver', { rolledOver: number(rolledOver) })}</p>`}
    ${runsOutAt !== null && used > 0 && html`<p class="soft">${text('runsOut', { day: day(runsOutAt) })}</p>`}</li>`;
}

function capacityCard(usage: Capacity, { text, number }: Wording): Html {
  const { resource, capacity, claimed, reserved } = usage;
  const amounts = { claimed: number(claimed), capacity: number(capacity) };
  return html`<li class="card"><div class="row"><h3 dir="auto">${resource.name}</h3>
      <span>${text('claimedOf', amounts)}</span></div>
    ${capacity > 0 && bar(text('usageOf', { name: resource.name }), claimed, capacity)}
    ${reserved > 0 && html`<p class="soft">${text('reserved', { reserved: number(reserved) })}</p>`}</li>`;
}

const bar = (label: string, value: number, most: number) =>
  html`<progress aria-label="${label}" value="${Math.max(0, Math.min(value, most))}" max="${most}"></progress>`;
