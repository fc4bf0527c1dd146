/** The test tokens of payment methods; each one has one behavior when it is charged. */
export const sandboxTokens = [
  'sandbox_success',
  'sandbox_decline_insufficient_funds',
  'sandbox_decline_expired_card',
  'sandbox_decline_then_success',
  'sandbox_requires_action',
  'sandbox_slow',
  'sandbox_error_before_charge',
  'sandbox_error_after_charge',
] as const;

/** The tokens for what takes the customer, the operator, or days; the guide about the sandbox describes each. */
const furtherSandboxTokens = [
  'sandbox_decline_hard',
  'sandbox_decline_card_data',
  'sandbox_decline_authentication',
  'sandbox_action_success',
  'sandbox_action_failure',
  'sandbox_processing_success',
  'sandbox_processing_failure',
  'sandbox_refund_pending',
  'sandbox_refund_fails_later',
  'sandbox_dispute_won',
  'sandbox_dispute_lost',
  'sandbox_dispute_inquiry',
  'sandbox_decline_configuration',
  'sandbox_misconfigured',
  'sandbox_hang',
  'sandbox_card_expiring',
] as const;

/** Every token of the sandbox. */
export const allSandboxTokens = [...sandboxTokens, ...furtherSandboxTokens] as const;

export type SandboxToken = (typeof allSandboxTokens)[number];

/** The data of a card of the sandbox: one token has an expiry, the end of the present month. */
export const sandboxCard = (token: string, now: Date) => ({
  brand: 'sandbox',
  last4: '4242',
  ...(token === 'sandbox_card_expiring' && {
    expMonth: now.getUTCMonth() + 1,
    expYear: now.getUTCFullYear(),
  }),
});

export const isSandboxToken = (token: string): token is SandboxToken =>
  (allSandboxTokens as readonly string[]).includes(token);
