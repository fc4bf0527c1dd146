import type { FailureKind } from '#domain/model/platform/failure-kinds.ts';

/** The parts of a refusal that decide what follows. */
export interface Refusal {
  readonly code: string | null;
  readonly declineCode: string | null;
  readonly adviceCode: string | null;
  /** The advice of the card network, two digits. */
  readonly networkAdviceCode: string | null;
  /** Whether Stripe itself has blocked the charge before any bank saw it. */
  readonly isBlocked: boolean;
}

/** The codes of each kind; any other code may succeed later. */
const codes: Readonly<Record<Exclude<FailureKind, 'configuration'>, readonly string[]>> = {
  soft: [
    'approve_with_id',
    'call_issuer',
    'card_velocity_exceeded',
    'do_not_honor',
    'generic_decline',
    'insufficient_funds',
    'issuer_not_available',
    'no_action_taken',
    'processing_error',
    'reenter_transaction',
    'service_not_allowed',
    'try_again_later',
    'withdrawal_count_limit_exceeded',
  ],
  hard: [
    'account_closed',
    'account_invalid',
    'bank_account_restricted',
    'bank_account_unusable',
    'card_not_supported',
    'currency_not_supported',
    'debit_not_authorized',
    'fraudulent',
    'highest_risk_level',
    'incorrect_number',
    'invalid_account',
    'invalid_number',
    'lost_card',
    'merchant_blacklist',
    'no_account',
    'payment_intent_mandate_invalid',
    'pickup_card',
    'restricted_card',
    'revocation_of_all_authorizations',
    'revocation_of_authorization',
    'security_violation',
    'stolen_card',
    'stop_payment_order',
    'transaction_not_allowed',
  ],
  card_data: [
    'expired_card',
    'incorrect_cvc',
    'incorrect_zip',
    'incorrect_postal_code',
    'invalid_cvc',
    'invalid_expiry_month',
    'invalid_expiry_year',
    'new_account_information_available',
  ],
  authentication: [
    'authentication_not_handled',
    'authentication_required',
    'payment_intent_action_required',
    'payment_intent_authentication_failure',
  ],
};

const kindOfCode: ReadonlyMap<string, FailureKind> = new Map(
  Object.entries(codes).flatMap(([kind, list]) =>
    list.map((code) => [code, kind as FailureKind] as const),
  ),
);

const kindOfAdvice: Readonly<Record<string, FailureKind>> = {
  do_not_try_again: 'hard',
  confirm_card_data: 'card_data',
  try_again_later: 'soft',
};

/** Mastercard’s advice: 03 and 21 forbid another attempt, 01 announces new card data. */
const kindOfNetworkAdvice: Readonly<Record<string, FailureKind>> = {
  '01': 'card_data',
  '03': 'hard',
  '21': 'hard',
};

/**
 * The kind of a refusal. The customer’s confirmation goes before all else; then the advice decides, then the code, then
 * the network. An unknown code is soft.
 */
export function failureKindOf(refusal: Refusal): FailureKind {
  const code = refusal.declineCode ?? refusal.code ?? '';
  const ofCode = kindOfCode.get(code) ?? kindOfCode.get(refusal.code ?? '');
  if (ofCode === 'authentication') return ofCode;
  const advised = kindOfAdvice[refusal.adviceCode ?? ''];
  if (advised) return advised;
  if (refusal.isBlocked) return 'hard';
  if (ofCode && ofCode !== 'soft') return ofCode;
  return kindOfNetworkAdvice[refusal.networkAdviceCode ?? ''] ?? ofCode ?? 'soft';
}

/** Reasons that the person who pays must not learn: they see a plain decline. */
const concealed: ReadonlySet<string> = new Set([
  'fraudulent',
  'highest_risk_level',
  'lost_card',
  'merchant_blacklist',
  'pickup_card',
  'restricted_card',
  'security_violation',
  'stolen_card',
]);

/** The code and the message of a refusal as invoices and payments show them. */
export function shownRefusal(
  { code, declineCode }: Refusal,
  message: string | null,
): { readonly failureCode: string; readonly failureMessage: string } {
  const reason = declineCode ?? code ?? 'card_declined';
  if (concealed.has(reason)) {
    return { failureCode: 'card_declined', failureMessage: 'The card was declined' };
  }
  return { failureCode: reason, failureMessage: message ?? 'The payment was declined' };
}
