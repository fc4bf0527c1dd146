import type { Units } from '#domain/kernel/decimal.ts';
import { coveredOf, keyOf, type Ledger, lowest, type Rate, type Total } from './ledger.ts';

/**
 * Records the owed usage of a closed period at each price, or its change since. Credits cover the most expensive
 * usage first, so the same usage costs the same in whatever order it was recorded.
 */
export function settlePeriod(ledger: Ledger, periodId: string, rates: ReadonlyMap<string, Rate>) {
  for (const [total, free] of freeOf(ledger, periodId, rates)) {
    const key = keyOf(periodId, total.priceId);
    const before = ledger.owed.get(key) ?? 0n;
    const quantity = total.usage - free - before;
    if (quantity === 0n) continue;
    ledger.owed.set(key, before + quantity);
    ledger.owing.push({ periodId, priceId: total.priceId, quantity });
  }
}

/** The usage of a period at each price that credits cover. */
export function freeOf(
  ledger: Ledger,
  periodId: string,
  rates: ReadonlyMap<string, Rate>,
): Map<Total, Units> {
  const totals = [...ledger.totals.values()].filter((total) => total.periodId === periodId);
  let covered = coveredOf(ledger, periodId);
  return new Map(
    totals.toSorted(dearestFirst(rates)).map((total) => {
      const free = lowest(covered, total.usage);
      covered -= free;
      return [total, free];
    }),
  );
}

/** Orders by the price of a unit, compared without dividing; the order of ids decides between equal ones. */
export const dearestFirst =
  (rates: ReadonlyMap<string, Rate>) => (a: Pick<Total, 'priceId'>, b: Pick<Total, 'priceId'>) => {
    const [one, other] = [rateOf(rates, a), rateOf(rates, b)];
    const difference =
      BigInt(other.unitPrice) * BigInt(one.perUnit) - BigInt(one.unitPrice) * BigInt(other.perUnit);
    if (difference !== 0n) return difference > 0n ? 1 : -1;
    return a.priceId < b.priceId ? -1 : 1;
  };

function rateOf(rates: ReadonlyMap<string, Rate>, { priceId }: Pick<Total, 'priceId'>): Rate {
  const rate = rates.get(priceId);
  if (!rate) throw new Error(`The price ${priceId} of what was used is not known`);
  return rate;
}
