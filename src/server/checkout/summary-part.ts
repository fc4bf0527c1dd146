import type { CheckoutSummary, Payments } from '#domain/checkout-sessions/checkout-summary.ts';
import { moneyText } from '#domain/kernel/currencies.ts';
import { escaped } from '../escaped.ts';

/** The part of the page with the order and its cost. */
export function summaryPart(title: string, summary: CheckoutSummary): string {
  const { currency, amounts, schedule, credit, lines, tax, interval, trialDays } = summary;
  const money = (amount: number) => escaped(moneyText(amount, currency));
  const due = dueNow(summary);
  const isOne = schedule.length === 1;
  const every = interval && everyText(interval);
  const rows = lines.map(
    ({ description, quantity, amount }) =>
      `<tr><th scope="row">${escaped(description)}${quantity > 1 ? ` <span class="quantity">× ${quantity}</span>` : ''}</th><td>${money(amount)}</td></tr>`,
  );
  const foot = [
    ...(summary.discount
      ? [[summary.discount.description, `−${money(summary.discount.amount)}`]]
      : []),
    ...(tax
      ? [
          ['Subtotal', money(amounts.subtotal)],
          [taxText(tax), money(amounts.taxAmount)],
        ]
      : []),
    ...(isOne
      ? [[every ? `Total ${every}` : 'Total', money(amounts.total)]]
      : schedule.map((payments, index) => [
          payment(payments, index, every),
          money(payments.amounts.total),
        ])),
    ...(credit > 0
      ? [
          ['Your credit', `−${money(credit)}`],
          ['To pay today', money(due)],
        ]
      : []),
  ];
  const cost = isOne ? `${money(amounts.total)} ${every ?? ''}` : 'the payments below';
  const note =
    trialDays > 0
      ? `Free for ${trialDays} ${trialDays === 1 ? 'day' : 'days'}, then ${cost}`
      : every && `Charged ${every} until you cancel`;
  return `      <section aria-labelledby="what">
        <h1 id="what">${escaped(title)}</h1>
        <p class="due">${money(due)}<span class="quantity"> today</span></p>
        ${note ? `<p class="note">${note}</p>` : ''}
        <table>
          <tbody>${rows.join('')}</tbody>
          <tfoot>${foot.map(([name, amount]) => `<tr><th scope="row">${escaped(name ?? '')}</th><td>${amount}</td></tr>`).join('')}</tfoot>
        </table>
      </section>`;
}

/** The amount that is paid with the form. */
export const dueNow = ({ trialDays, amounts, credit }: CheckoutSummary) =>
  trialDays > 0 ? 0 : amounts.total - credit;

function payment({ count }: Payments, index: number, every: string | null): string {
  if (count === null) return `Then ${every}`;
  if (index === 0) return count === 1 ? 'First payment' : `First ${count} payments, each`;
  return count === 1 ? 'Then one payment' : `Then ${count} payments, each`;
}

const everyText = ({ unit, count }: NonNullable<CheckoutSummary['interval']>) =>
  count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;

function taxText({ taxType, ratePercentage, inclusive }: NonNullable<CheckoutSummary['tax']>) {
  const words = taxType.replace(/_/g, ' ');
  const name =
    words.length <= 3 ? words.toUpperCase() : words.replace(/^./, (l) => l.toUpperCase());
  return `${name} ${ratePercentage} %${inclusive ? ' (included)' : ''}`;
}
