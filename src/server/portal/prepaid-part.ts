import { type Html, html } from '../pages/html.ts';
import { live } from './live-part.ts';
import type { Billing, Forms, PrepaidCredit } from './shapes.ts';
import type { TextName } from './texts/en.ts';
import type { Wording } from './texts/wording.ts';

const sources: Readonly<Record<string, TextName>> = {
  purchase: 'prepaidBought',
  gift: 'prepaidGiven',
  top_up: 'prepaidToppedUp',
};

/** The prepaid balance of a customer, and its credits in the order in which invoices use them. */
export function prepaidPart(
  { wording }: Forms,
  { customer, prepaidCredits }: Billing,
): Html | false {
  const { text, money } = wording;
  if (prepaidCredits.length === 0) return false;
  const amount = money(customer.prepaidBalance, customer.currency ?? '');
  const cards = prepaidCredits.toSorted(byUse).map((credit) => creditCard(credit, wording));
  const body = html`<p>${text('prepaidLeft', { amount })}</p><ul>${cards}</ul>`;
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
