import type { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import type { FailureKind } from '#domain/model/platform/failure-kinds.ts';
import { daysAfter } from './days-after.ts';

/** The outcome that a test token decides for a new charge. */
export type Decision = Pick<SandboxCharge, 'status' | 'failureCode' | 'failureMessage'> &
  Partial<Pick<SandboxCharge, 'settlesAs' | 'settlesAt'>>;

const approved: Decision = { status: 'succeeded', failureCode: null, failureMessage: null };

/** The codes and the message of each failure of the sandbox. */
interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
  readonly advice?: string;
  readonly network?: string;
}

const failures: Readonly<Record<string, Failure>> = {
  insufficient_funds: { kind: 'soft', message: 'The card has insufficient funds', network: '51' },
  // The bank advises to try this one again, so that it is retried.
  expired_card: { kind: 'soft', message: 'The card has expired', advice: 'try_again_later' },
  lost_card: {
    kind: 'hard',
    message: 'The card was declined',
    advice: 'do_not_try_again',
    network: '41',
  },
  incorrect_cvc: {
    kind: 'card_data',
    message: 'The security code of the card is incorrect',
    advice: 'confirm_card_data',
  },
  authentication_required: {
    kind: 'authentication',
    message: 'The customer must confirm the payment',
  },
  authentication_failed: { kind: 'soft', message: 'The customer did not confirm the payment' },
  debit_not_authorized: { kind: 'hard', message: 'The bank refused the debit' },
  parameter_invalid: {
    kind: 'configuration',
    message: 'The payment processor refused the request as invalid',
  },
};

/** A declined charge with the message of its code. */
export const declined = (failureCode: string): Decision => ({
  status: 'failed',
  failureCode,
  failureMessage: failures[failureCode]?.message ?? null,
});

export const failureOf = (code: string | null | undefined): Failure | undefined =>
  failures[code ?? ''];

const processingDays = 3;

const processed =
  (settlesAs: 'succeeded' | 'failed') =>
  (_earlier: number, now: Date): Decision => ({
    ...approved,
    status: 'processing',
    settlesAs,
    settlesAt: daysAfter(now, processingDays),
  });

const slow = (_earlier: number, now: Date): Decision => ({
  ...approved,
  status: 'processing',
  settlesAs: 'succeeded',
  settlesAt: daysAfter(now, 1 / 24),
});

/** The decision of each token, given the number of earlier charges of its payment method. */
const behaviours: Readonly<Record<string, (earlier: number, now: Date) => Decision>> = {
  sandbox_decline_insufficient_funds: () => declined('insufficient_funds'),
  sandbox_decline_expired_card: () => declined('expired_card'),
  sandbox_decline_then_success: (earlier) =>
    earlier === 0 ? declined('insufficient_funds') : approved,
  sandbox_requires_action: () => ({ ...approved, status: 'requires_action' }),
  sandbox_slow: slow,
  sandbox_decline_hard: () => declined('lost_card'),
  sandbox_decline_card_data: () => declined('incorrect_cvc'),
  sandbox_decline_authentication: () => declined('authentication_required'),
  sandbox_action_success: () => ({ ...approved, status: 'requires_action' }),
  sandbox_action_failure: () => ({ ...approved, status: 'requires_action' }),
  sandbox_processing_success: processed('succeeded'),
  sandbox_processing_failure: processed('failed'),
  sandbox_decline_configuration: () => declined('parameter_invalid'),
};

/** The decision about a new charge; every other token is approved. */
export const decide = (token: string, earlier: number, now: Date): Decision =>
  (behaviours[token] ?? (() => approved))(earlier, now);

/** Whether the sandbox cannot cancel a charge any more while it is being processed, as with bank debits. */
export const isBankDebit = (token: string) => token.startsWith('sandbox_processing_');

/** Whether a charge waits for its customer on a page of the sandbox. */
export const hasActionPage = (token: string) => token.startsWith('sandbox_action_');
