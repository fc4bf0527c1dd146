/** The ways in which money arrives without a processor. */
export const externalMethods = {
  bank_transfer: 'Bank transfer',
  check: 'Check',
  cash: 'Cash',
  card_elsewhere: 'Card, charged elsewhere',
  other: 'Other',
} as const;

export type ExternalMethod = keyof typeof externalMethods;
