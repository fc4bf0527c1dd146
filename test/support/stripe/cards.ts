/** The behaviour of a test payment method. */
export interface TestMethod {
  readonly type: 'card' | 'us_bank_account' | 'sepa_debit';
  readonly last4: string;
  /** The refusal of every charge. */
  readonly decline?: Readonly<Record<string, unknown>>;
  /** Whether charges without the customer need a confirmation: never after a set-up, or always. */
  readonly authentication?: 'always';
  readonly dispute?: true;
  readonly refund?: 'fails' | 'pending';
  /** The final status of a debit. */
  readonly debit?: 'succeeds' | 'fails';
}

const declined = (
  last4: string,
  decline: string,
  more: Record<string, unknown> = {},
): TestMethod => ({
  type: 'card',
  last4,
  decline: { code: 'card_declined', decline_code: decline, ...more },
});

/** The test payment methods, by the last digits of the documented numbers or by name. */
export const testMethods = {
  visa: { type: 'card', last4: '4242' },
  authenticationOnSetup: { type: 'card', last4: '3155' },
  authenticationAlways: { type: 'card', last4: '3184', authentication: 'always' },
  insufficientFunds: declined('0341', 'insufficient_funds', { advice_code: 'try_again_later' }),
  lostCard: declined('9987', 'lost_card', { advice_code: 'do_not_try_again' }),
  fraudulent: declined('0019', 'fraudulent'),
  doNotHonorNever: declined('0002', 'do_not_honor', { network_advice_code: '03' }),
  expired: { type: 'card', last4: '0069', decline: { code: 'expired_card' } },
  disputed: { type: 'card', last4: '0259', dispute: true },
  refundFails: { type: 'card', last4: '5126', refund: 'fails' },
  refundPending: { type: 'card', last4: '7726', refund: 'pending' },
  debit: { type: 'us_bank_account', last4: '6789', debit: 'succeeds' },
  debitFails: { type: 'us_bank_account', last4: '1116', debit: 'fails' },
  sepa: { type: 'sepa_debit', last4: '3000', debit: 'succeeds' },
} as const satisfies Readonly<Record<string, TestMethod>>;

export type TestMethodName = keyof typeof testMethods;
