import type { CheckoutSummary } from '#domain/checkout-sessions/checkout-summary.ts';
import { moneyText } from '#domain/kernel/currencies.ts';
import { type Html, html } from '../pages/html.ts';

/** The part of the page with the order and its cost. */
export function summaryPart(title: string, summary: CheckoutSummary): Html {
  const { currency, amounts, lines, interval, trialDays } = summary;
  const money = (amount: number) => moneyText(amount, currency);
  const due = trialDays > 0 ? 0 : amounts.total;
  const note = noteOf(summary);
  return html`<section aria-labelledby="what">
        <h1 id="what" dir="auto">${title}</h1>
        <p class="due">${money(due)} <span class="soft">${interval || trialDays > 0 ? 'today' : ''}</span></p>
        ${note && html`<p class="note">${note}</p>`}
        <table>
          <tbody>${lines.map(({ description, quantity, amount }) =>
            row(
              html`<bdi>${description}</bdi>${quantity > 1 && html` <span class="soft">× ${quantity}</span>`}`,
              money(amount),
            ),
          )}</tbody>
          <tfoot>${footOf(summary).map(([name, amount]) => row(html`<bdi>${name}</bdi>`, amount))}</tfoot>
        </table>
      </section>`;
}

const row = (name: Html, amount: string) =>
  html`<tr><th scope="row">${name}</th><td>${amount}</td></tr>`;

/** The discount, the tax and the sums below the lines. */
function footOf({ currency, amounts, later, discount, tax, interval }: CheckoutSummary) {
  const money = (amount: number) => moneyText(amount, currency);
  const every = interval && everyText(interval);
  const first = later?.after === 1 ? 'First payment' : `First ${later?.after} payments, each`;
  const rows: (readonly [string, string] | null)[] = [
    discount && [discount.description, `−${money(discount.amount)}`],
    tax && ['Subtotal', money(amounts.subtotal)],
    tax && [taxText(tax), money(amounts.taxAmount)],
    later && [first, money(amounts.total)],
    later
      ? [`Then ${every}`, money(later.amounts.total)]
      : [every ? `Total ${every}` : 'Total', money(amounts.total)],
  ];
  return rows.filter((each) => each !== null);
}

function noteOf({ currency, amounts, later, interval, trialDays }: CheckoutSummary) {
  const every = interval && everyText(interval);
  const cost = later
    ? 'the payments below'
    : `${moneyText(amounts.total, currency)}${every ? ` ${every}` : ''}`;
  if (trialDays > 0)
    return `Free for ${trialDays} ${trialDays === 1 ? 'day' : 'days'}, then ${cost}`;
  return every && `Charged ${every} until you cancel`;
}

const everyText = ({ unit, count }: NonNullable<CheckoutSummary['interval']>) =>
  count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;

function taxText({ taxType, ratePercentage, inclusive }: NonNullable<CheckoutSummary['tax']>) {
  const words = taxType.replace(/_/g, ' ');
  const name =
    words.length <= 3 ? words.toUpperCase() : words.replace(/^./, (l) => l.toUpperCase());
  return `${name} ${ratePercentage} %${inclusive ? ' (included)' : ''}`;
}
