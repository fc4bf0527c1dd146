import { keyOf } from '#domain/metering/ledger/ledger.ts';
import { ledgerKeyOf } from '#domain/metering/ledger/lock-ledgers.ts';

/** The keys that events of one subscription, meter, period and price share. */
export interface UsageKind {
  /** The key of the kind itself. */
  readonly key: string;
  /** The key of their ledger among others. */
  readonly ledgerKey: string;
  /** The key of their total in the ledger. */
  readonly totalKey: string;
}

/** Returns a function that finds the kind of an event. Its keys are built once, not for each event and each use. */
export function usageKinds() {
  const known = new Map<string, UsageKind>();
  return (
    subscriptionId: string,
    usageMeterId: string,
    periodId: string,
    priceId: string,
  ): UsageKind => {
    const key = `${subscriptionId} ${usageMeterId} ${periodId} ${priceId}`;
    let kind = known.get(key);
    if (!kind) {
      const ledgerKey = ledgerKeyOf(subscriptionId, usageMeterId);
      kind = { key, ledgerKey, totalKey: keyOf(periodId, priceId) };
      known.set(key, kind);
    }
    return kind;
  };
}
