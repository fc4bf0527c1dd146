import type { Item, Method, Preview, Subscription } from './shapes.ts';
import type { TextName } from './texts/en.ts';
import type { Wording } from './texts/wording.ts';

const perUnit: Readonly<Record<string, TextName>> = {
  day: 'perDay',
  week: 'perWeek',
  month: 'perMonth',
  year: 'perYear',
};

/** A price with its time, such as «$10.00 every month». */
export function priced(
  { text, money }: Wording,
  amount: number,
  currency: string,
  unit: string | null,
  count: number | null,
): string {
  const price = money(amount, currency);
  const name = unit === null ? undefined : perUnit[unit];
  return name ? text(name, { price, count: count ?? 1 }) : price;
}

export const sumOf = (items: readonly Item[]) => items.reduce((sum, { amount }) => sum + amount, 0);

const types: Readonly<Record<string, TextName>> = {
  card: 'card',
  link: 'link',
  us_bank_account: 'usBankAccount',
  sepa_debit: 'sepaDebit',
};

/** A payment method in words, such as «Visa ending in 4242». */
function methodWords({ text }: Wording, type: string, brand?: unknown, last4?: unknown): string {
  const known = types[type];
  const kind = known ? text(known) : capital(type);
  const name = typeof brand === 'string' && brand ? capital(brand) : kind;
  return typeof last4 === 'string' && last4 ? text('endingIn', { name, last4 }) : name;
}

export const wordsOf = (wording: Wording, { type, paymentMethodData: { brand, last4 } }: Method) =>
  methodWords(wording, type, brand, last4);

export const paidWith = (wording: Wording, { paymentMethod }: Preview) =>
  paymentMethod &&
  methodWords(wording, paymentMethod.type, paymentMethod.brand, paymentMethod.last4);

const capital = (text: string) =>
  (text[0]?.toUpperCase() ?? '') + text.slice(1).replaceAll('_', ' ');

const statuses: Readonly<Record<string, TextName>> = {
  active: 'statusActive',
  trialing: 'statusTrialing',
  past_due: 'statusPastDue',
  unpaid: 'statusUnpaid',
  paused: 'statusPaused',
  incomplete: 'statusIncomplete',
  credit_trial: 'statusCreditTrial',
  cancellation_scheduled: 'statusCancellationScheduled',
  open: 'statusOpen',
  paid: 'statusPaid',
  refunded: 'statusRefunded',
  partially_refunded: 'statusPartiallyRefunded',
  awaiting_payment_confirmation: 'statusAwaitingPaymentConfirmation',
  void: 'statusVoid',
  uncollectible: 'statusUncollectible',
};

/** The status of a subscription or of an invoice. */
export function statusWords({ text }: Wording, status: string): string {
  const name = statuses[status];
  return name ? text(name) : capital(status);
}

/** The next thing that happens to a subscription. */
export function comingUp({ text, day }: Wording, subscription: Subscription): string {
  const { status, cancelScheduledAt, trialEnd, currentBillingPeriodEnd: end } = subscription;
  const { pauseScheduledAt, resumesAt } = subscription;
  if (pauseScheduledAt !== null) return text('pausesOn', { day: day(pauseScheduledAt) });
  if (status === 'paused') {
    return resumesAt === null
      ? text('pausedUntilResumed')
      : text('resumesOn', { day: day(resumesAt) });
  }
  if (cancelScheduledAt !== null) return text('endsOn', { day: day(cancelScheduledAt) });
  if (status === 'trialing' && trialEnd !== null) {
    return text('trialEndsOn', { day: day(trialEnd) });
  }
  if (end === null || !subscription.renews || subscription.isFreePlan) return '';
  return text('renewsOn', { day: day(end) });
}
