import { type TaxRule, taxLinesOf } from '#domain/model/catalog/tax.ts';
import type { PricedLine } from '#domain/money/commands/checkout-sessions/checkout-lines.ts';
import {
  type CheckoutSummary,
  dueNow,
  type Payments,
} from '#domain/money/commands/checkout-sessions/checkout-summary.ts';
import { type Html, html } from '../pages/html.ts';
import { priceLines } from '../pages/price-lines.ts';
import type { CheckoutWording } from './texts/checkout-wording.ts';
import type { CheckoutTextName } from './texts/en.ts';

/** The part of the page with the order and its cost. */
export function summaryPart(
  title: string,
  summary: CheckoutSummary,
  wording: CheckoutWording,
  further: Html | null,
): Html {
  const { currency, lines, interval, trialDays } = summary;
  const money = (amount: number) => wording.money(amount, currency);
  const note = noteOf(summary, wording);
  return html`<section aria-labelledby="what">
        <h1 id="what"><bdi>${title}</bdi></h1>
        <p class="due">${money(dueNow(summary))} <span class="soft">${interval || trialDays > 0 ? wording.text('today') : ''}</span></p>
        ${note && html`<p class="note">${note}</p>`}
        <table>
          <tbody>${lines.map(({ description, quantity, amount }) =>
            row(
              html`<bdi>${description}</bdi>${quantity > 1 && html` <span class="soft count">× ${quantity}</span>`}`,
              money(amount),
            ),
          )}</tbody>
          <tfoot>${footOf(summary, wording).map(([name, amount]) => row(html`<bdi>${name}</bdi>`, amount))}</tfoot>
        </table>
        ${summary.priced.map((line) => termsPart(line, currency, wording))}
        ${further}
      </section>`;
}

/** The tiers or limits of an item. */
const termsPart = (
  { name, unitPrice, pricing }: PricedLine,
  currency: string,
  { terms }: CheckoutWording,
) =>
  html`<p class="note"><bdi>${name}</bdi>:${priceLines({ ...pricing, unitPrice, currency }, terms).map((line) => html`<br>${line}`)}</p>`;

const row = (name: Html, amount: string) =>
  html`<tr><th scope="row">${name}</th><td>${amount}</td></tr>`;

/** The discount, the tax, the payments and the credit below the lines. */
function footOf(summary: CheckoutSummary, wording: CheckoutWording) {
  const { currency, amounts, schedule, credit, discount, tax, interval } = summary;
  const { text } = wording;
  const money = (amount: number) => wording.money(amount, currency);
  const every = interval && everyText(interval, wording);
  const totals =
    schedule.length === 1
      ? [[every ? text('totalEvery', { every }) : text('total'), money(amounts.total)] as const]
      : schedule.map(
          (payments, index) =>
            [paymentText(payments, index, every, wording), money(payments.amounts.total)] as const,
        );
  const rows: (readonly [string, string] | null)[] = [
    discount && [text('discount', discount), `−${money(discount.amount)}`],
    tax && [text('subtotal'), money(amounts.subtotal)],
    ...taxRows(summary, wording),
    ...totals,
    credit > 0 ? [text('credit'), `−${money(credit)}`] : null,
    credit > 0 ? [text('toPayToday'), money(dueNow(summary))] : null,
  ];
  return rows.filter((each) => each !== null);
}

function noteOf(summary: CheckoutSummary, wording: CheckoutWording) {
  const { currency, amounts, schedule, interval, trialDays } = summary;
  const { text, money } = wording;
  const every = interval && everyText(interval, wording);
  const cost =
    schedule.length === 1
      ? `${money(amounts.total, currency)}${every ? ` ${every}` : ''}`
      : text('paymentsBelow');
  if (trialDays > 0) return text('freeFor', { count: trialDays, cost });
  return every && text('charged', { every });
}

function paymentText(
  { count }: Payments,
  index: number,
  every: string | null,
  { text }: CheckoutWording,
): string {
  if (count === null) return text('thenEvery', { every: every ?? '' });
  return text(index === 0 ? 'firstPayments' : 'thenPayments', { count });
}

type Interval = NonNullable<CheckoutSummary['interval']>;

const perUnit: Readonly<Record<Interval['unit'], CheckoutTextName>> = {
  day: 'everyDay',
  week: 'everyWeek',
  month: 'everyMonth',
  year: 'everyYear',
};

const everyText = ({ unit, count }: Interval, { text }: CheckoutWording) =>
  text(perUnit[unit], { count });

function taxRows({ tax, amounts, currency }: CheckoutSummary, wording: CheckoutWording) {
  if (!tax) return [];
  const { text } = wording;
  const money = (amount: number) => wording.money(amount, currency);
  const withRate = (name: string, ratePercentage: string | number) => {
    const rated = `${name} ${ratePercentage} %`;
    return tax.inclusive ? text('included', { tax: rated }) : rated;
  };
  if (!tax.groups)
    return [[withRate(taxName(tax), tax.ratePercentage), money(amounts.taxAmount)] as const];
  return taxLinesOf(amounts.subtotal, tax).map(
    ({ name, ratePercentage, amount, reason }) =>
      [reason ? name : withRate(name, ratePercentage), money(amount)] as const,
  );
}

function taxName({ taxType }: TaxRule) {
  const words = taxType.replace(/_/g, ' ');
  return words.length <= 3 ? words.toUpperCase() : words.replace(/^./, (l) => l.toUpperCase());
}
