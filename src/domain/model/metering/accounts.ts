/**
 * The accounts of a subscription's ledger for one meter. The entries of a transaction sum to 0 over the accounts.
 * Usage comes from credits and overage; credits come from grants and become usage or expire; overage is billed.
 */
export const accounts = ['usage', 'credits', 'overage', 'granted', 'expired', 'billed'] as const;
export type Account = (typeof accounts)[number];

/** The reasons of ledger transactions. */
export const ledgerTransactionTypes = [
  'usage_recorded',
  'usage_voided',
  'credit_granted',
  'credit_applied',
  'credit_expired',
  'usage_billed',
] as const;
export type LedgerTransactionType = (typeof ledgerTransactionTypes)[number];
