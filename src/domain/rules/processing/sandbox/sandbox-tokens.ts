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

export type SandboxToken = (typeof sandboxTokens)[number];

export const isSandboxToken = (token: string): token is SandboxToken =>
  (sandboxTokens as readonly string[]).includes(token);
