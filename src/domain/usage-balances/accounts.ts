/**
 * The accounts of a subscription's ledger for one meter. A transaction adds to some of them and takes the
 * same from others, so that each sums to zero: usage comes from credits and overage, credits come from
 * grants and go to usage or expire, overage is billed.
 */
export const accounts = ['usage', 'credits', 'overage', 'granted', 'expired', 'billed'] as const;
export type Account = (typeof accounts)[number];

/** What a ledger transaction is about. */
export const ledgerTransactionTypes = [
  'usage_recorded',
  'usage_voided',
  'credit_granted',
  'credit_applied',
  'credit_expired',
  'usage_billed',
] as const;
export type LedgerTransactionType = (typeof ledgerTransactionTypes)[number];
