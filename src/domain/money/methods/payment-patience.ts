import type { Payment } from '#domain/model/money/payment.ts';
import type { ChargeOutcome } from '#domain/money/processing/port/charge-types.ts';
import type { MethodDetails } from '#domain/money/processing/port/processor-objects.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** How long the process that begins a payment has before another one looks it up. */
export const patienceMilliseconds = 60_000;

/** The state of a charge as it was heard, or that it is unknown since the connection broke. */
export type HeardOutcome = Pick<ChargeOutcome, 'status' | 'failureCode' | 'failureMessage'> &
  Partial<ChargeOutcome> & {
    readonly isUnknown?: boolean;
    /** The least pause before the next lookup that the processor asks for, in milliseconds. */
    readonly retryAfter?: number | null;
    /** The payment method that the customer has chosen on the hosted page. */
    readonly method?: MethodDetails | null;
    /** The hosted page of `actionUrl`; `number` counts the pages of the payment. */
    readonly page?: {
      readonly reference: string;
      readonly expiresAt: Date;
      readonly number: number;
    };
  };

/** Bank debits take days; the processor cannot cancel them. */
const asynchronous = ['us_bank_account', 'sepa_debit'];
const bankDays = 30;

/**
 * Whether a payment has been open for too long: the processor is not asked for the money any more. That is 30 days for
 * bank debits, the organization's days for a page that waits for the customer, and 6 hours for anything else.
 */
export const isStale = (payment: Patient, now: Date): boolean =>
  now.getTime() >= staleAt(payment).getTime();

type Patient = Pick<Payment, 'chargeDate' | 'paymentMethod'> & {
  readonly actionExpiresAt?: Date | null | undefined;
};

function staleAt({ chargeDate, paymentMethod, actionExpiresAt }: Patient): Date {
  if (actionExpiresAt) return actionExpiresAt;
  const patience = asynchronous.includes(paymentMethod) ? bankDays * day : 6 * hour;
  return new Date(chargeDate.getTime() + patience);
}

/** How long a payment may be open, in words. */
export const patienceInWords = ({ paymentMethod }: Pick<Payment, 'paymentMethod'>): string =>
  asynchronous.includes(paymentMethod) ? `${bankDays} days` : '6 hours';

/** Whether the processor has not decided yet; undefined means a charge that it does not know. */
export const isOpen = (outcome: Pick<HeardOutcome, 'status'> | undefined): boolean =>
  !outcome || outcome.status === 'processing' || outcome.status === 'requires_action';

/**
 * The time of the next lookup of an open payment: after 1 hour while the processor works on it, and after an eighth of
 * its age once that is more, up to 12 hours. After a broken connection it is 1 minute, then the present age of the
 * payment, up to 1 hour. Payments that are not on a test clock are spread by up to a fifth.
 */
export function nextLookup(payment: Payment, heard: HeardOutcome, now: Date): Date {
  const open = now.getTime() - payment.chargeDate.getTime();
  const usual = heard.isUnknown
    ? Math.min(Math.max(open, patienceMilliseconds), hour)
    : Math.min(Math.max(open / 8, hour), 12 * hour);
  const spread = payment.testClockId ? 1 : 1 + spreadOf(payment.id) / 5;
  const pause = Math.round(Math.max(usual * spread, heard.retryAfter ?? 0));
  const ends = [staleAt(payment), payment.actionPageExpiresAt]
    .flatMap((end) => (end ? [end.getTime() - now.getTime()] : []))
    .filter((left) => left > 0);
  return new Date(now.getTime() + Math.min(pause, ...ends));
}

/** A number from 0 to 1 that differs from payment to payment. */
const spreadOf = (id: string) =>
  [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7) / 997;
