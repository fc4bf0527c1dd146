import * as money from '@tollgate/client/money';
import { dayText } from './days.ts';

export const { digitsOf, moneyText } = money;

/** A large amount in few characters, such as $1.2M, for axes and tiles. */
export const shortMoneyText = (amount: number, currency: string) =>
  new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(amount / 10 ** digitsOf(currency));

export const numberText = (value: number) =>
  new Intl.NumberFormat(undefined, { maximumFractionDigits: 6 }).format(value);

/** A quantity of an invoice with all of its decimal places. */
export const quantityText = (value: number) =>
  new Intl.NumberFormat(undefined, { maximumFractionDigits: 9 }).format(value);

export const shortNumberText = (value: number) =>
  new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 }).format(value);

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A distance in time, such as "3 minutes ago"; a day for what is more than 30 days away. */
export function relativeText(instant: number, now: number): string {
  // The reader's clock and that of the service differ a little, and it is shown in steps.
  const distance = Math.abs(instant - now) < 15_000 ? 0 : instant - now;
  if (Math.abs(distance) > 30 * 86_400_000) return dayText(instant);
  const [unit, size] = units.find(([, size]) => Math.abs(distance) >= size) ?? ['second', 1_000];
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  return format.format(Math.trunc(distance / size), unit);
}

/** The words of a name in the style of the API: `past_due` is "Past due", `CreditNote` is "Credit note". */
export function wordsOf(name: string): string {
  const words = name
    .replaceAll(/[_.]/g, ' ')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
