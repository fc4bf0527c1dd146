/** The ways in which a cancellation returns time that is charged and not used. */
export const cancellationCredits = ['none', 'balance', 'refund'] as const;
export type CancellationCredit = (typeof cancellationCredits)[number];
