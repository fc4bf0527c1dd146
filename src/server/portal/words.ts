import { moneyText } from '#domain/kernel/currencies.ts';
import type { Item, Method, Preview, Subscription } from './shapes.ts';

const days = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** The day of an instant, in UTC. */
export const day = (milliseconds: number) => days.format(milliseconds);

export const money = moneyText;

/** The time between two payments, such as «month» and «3 months»; empty without one. */
export function every(unit: string | null, count: number | null): string {
  if (!unit) return '';
  return count === 1 || count === null ? unit : `${count} ${unit}s`;
}

/** A price with its time, such as «USD 10.00 every month». */
export function priced(
  amount: number,
  currency: string,
  unit: string | null,
  count: number | null,
) {
  const time = every(unit, count);
  return `${money(amount, currency)}${time && ` every ${time}`}`;
}

export const sumOf = (items: readonly Item[]) =>
  items.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);

const types: Readonly<Record<string, string>> = {
  card: 'Card',
  link: 'Link',
  us_bank_account: 'Bank account',
  sepa_debit: 'SEPA direct debit',
};

/** A payment method in words, such as «Visa ending in 4242». */
export function methodWords(type: string, brand?: unknown, last4?: unknown): string {
  const name = typeof brand === 'string' && brand ? capital(brand) : (types[type] ?? capital(type));
  return typeof last4 === 'string' && last4 ? `${name} ending in ${last4}` : name;
}

export const wordsOf = ({ type, paymentMethodData: { brand, last4 } }: Method) =>
  methodWords(type, brand, last4);

export const paidWith = ({ paymentMethod }: Preview) =>
  paymentMethod && methodWords(paymentMethod.type, paymentMethod.brand, paymentMethod.last4);

const capital = (text: string) =>
  (text[0]?.toUpperCase() ?? '') + text.slice(1).replaceAll('_', ' ');

export const statusWords = (status: string) => capital(status);

/** The next thing that happens to a subscription. */
export function comingUp(subscription: Subscription): string {
  const { status, cancelScheduledAt, trialEnd, currentBillingPeriodEnd: end } = subscription;
  if (cancelScheduledAt !== null) return `Ends on ${day(cancelScheduledAt)}`;
  if (status === 'trialing' && trialEnd !== null) return `The trial ends on ${day(trialEnd)}`;
  if (end === null || !subscription.renews) return '';
  return subscription.isFreePlan ? '' : `Renews on ${day(end)}`;
}
