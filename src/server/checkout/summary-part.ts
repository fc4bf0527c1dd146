import type { PricedLine } from '#domain/checkout-sessions/checkout-lines.ts';
import type { CheckoutSummary, Payments } from '#domain/checkout-sessions/checkout-summary.ts';
import { type TaxRule, taxLinesOf } from '#domain/invoices/tax.ts';
import { moneyText, unitPriceText } from '#domain/kernel/currencies.ts';
import { type Html, html } from '../pages/html.ts';
import { priceLines } from '../pages/price-lines.ts';
import { usualWording } from '../portal/texts/wording.ts';

/** The part of the page with the order and its cost. */
export function summaryPart(title: string, summary: CheckoutSummary): Html {
  const { currency, lines, interval, trialDays } = summary;
  const money = (amount: number) => moneyText(amount, currency);
  const note = noteOf(summary);
  return html`<section aria-labelledby="what">
        <h1 id="what"><bdi>${title}</bdi></h1>
        <p class="due">${money(dueNow(summary))} <span class="soft">${interval || trialDays > 0 ? 'today' : ''}</span></p>
        ${note && html`<p class="note">${note}</p>`}
        <table>
          <tbody>${lines.map(({ description, quantity, amount }) =>
            row(
              html`<bdi>${description}</bdi>${quantity > 1 && html` <span class="soft count">× ${quantity}</span>`}`,
              money(amount),
            ),
          )}</tbody>
          <tfoot>${footOf(summary).map(([name, amount]) => row(html`<bdi>${name}</bdi>`, amount))}</tfoot>
        </table>
        ${summary.priced.map((line) => termsPart(line, currency))}
      </section>`;
}

/** The words of the terms of a price, with amounts as the rest of the page has them. */
const wording = {
  ...usualWording,
  money: (amount: number, currency: string) => moneyText(amount, currency),
  unitPrice: (amount: string, currency: string) => unitPriceText(amount, currency),
};

/** The tiers or limits of an item. */
const termsPart = ({ name, unitPrice, pricing }: PricedLine, currency: string) =>
  html`<p class="note"><bdi>${name}</bdi>:${priceLines({ ...pricing, unitPrice, currency }, wording).map((line) => html`<br>${line}`)}</p>`;

/** The amount that is paid with the form. */
export const dueNow = ({ trialDays, amounts, credit }: CheckoutSummary) =>
  trialDays > 0 ? 0 : amounts.total - credit;

const row = (name: Html, amount: string) =>
  html`<tr><th scope="row">${name}</th><td>${amount}</td></tr>`;

/** The discount, the tax, the payments and the credit below the lines. */
function footOf(summary: CheckoutSummary) {
  const { currency, amounts, schedule, credit, discount, tax, interval } = summary;
  const money = (amount: number) => moneyText(amount, currency);
  const every = interval && everyText(interval);
  const totals =
    schedule.length === 1
      ? [[every ? `Total ${every}` : 'Total', money(amounts.total)] as const]
      : schedule.map(
          (payments, index) =>
            [paymentText(payments, index, every), money(payments.amounts.total)] as const,
        );
  const rows: (readonly [string, string] | null)[] = [
    discount && [discount.description, `−${money(discount.amount)}`],
    tax && ['Subtotal', money(amounts.subtotal)],
    ...taxRows(summary),
    ...totals,
    credit > 0 ? ['Your credit', `−${money(credit)}`] : null,
    credit > 0 ? ['To pay today', money(dueNow(summary))] : null,
  ];
  return rows.filter((each) => each !== null);
}

function noteOf({ currency, amounts, schedule, interval, trialDays }: CheckoutSummary) {
  const every = interval && everyText(interval);
  const cost =
    schedule.length === 1
      ? `${moneyText(amounts.total, currency)}${every ? ` ${every}` : ''}`
      : 'the payments below';
  if (trialDays > 0)
    return `Free for ${trialDays} ${trialDays === 1 ? 'day' : 'days'}, then ${cost}`;
  return every && `Charged ${every} until you cancel`;
}

function paymentText({ count }: Payments, index: number, every: string | null): string {
  if (count === null) return `Then ${every}`;
  if (index === 0) return count === 1 ? 'First payment' : `First ${count} payments, each`;
  return count === 1 ? 'Then one payment' : `Then ${count} payments, each`;
}

const everyText = ({ unit, count }: NonNullable<CheckoutSummary['interval']>) =>
  count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;

function taxRows({ tax, amounts, currency }: CheckoutSummary): [string, string][] {
  if (!tax) return [];
  const money = (amount: number) => moneyText(amount, currency);
  if (!tax.groups) return [[taxText(tax), money(amounts.taxAmount)]];
  return taxLinesOf(amounts.subtotal, tax).map(({ name, ratePercentage, amount, reason }) => [
    reason ? name : `${name} ${ratePercentage} %${tax.inclusive ? ' (included)' : ''}`,
    money(amount),
  ]);
}

function taxText({ taxType, ratePercentage, inclusive }: TaxRule) {
  const words = taxType.replace(/_/g, ' ');
  const name =
    words.length <= 3 ? words.toUpperCase() : words.replace(/^./, (l) => l.toUpperCase());
  return `${name} ${ratePercentage} %${inclusive ? ' (included)' : ''}`;
}
