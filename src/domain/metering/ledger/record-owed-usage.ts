import type { Units } from '#domain/kernel/values/decimal.ts';
import { compareAverages } from '#domain/model/catalog/cost.ts';
import { coveredOf, keyOf, type Ledger, lowest, type Rate, type Total } from './ledger.ts';

/**
 * Records the owed usage of a closed period at each price, or its change since. Credits cover the most expensive
 * usage first, so the same usage costs the same in whatever order it was recorded.
 */
export function recordOwedUsage(
  ledger: Ledger,
  periodId: string,
  rates: ReadonlyMap<string, Rate>,
) {
  for (const [total, free] of freeOf(ledger, periodId, rates)) {
    const key = keyOf(periodId, total.priceId);
    const before = ledger.owed.get(key);
    const quantity = total.usage - free - (before ?? 0n);
    // Where a price has a model, the same quantity may cost something else: an owing of 0 has it computed again.
    const isRepriced =
      before !== undefined &&
      rateOf(rates, total).pricing != null &&
      ledger.changedTotals.has(total);
    if (quantity === 0n && !isRepriced) continue;
    ledger.owed.set(key, (before ?? 0n) + quantity);
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
  const used = totals.filter(({ usage }) => usage > 0n).toSorted(dearestFirst(rates));
  const others = totals.filter(({ usage }) => usage <= 0n);
  return new Map(
    [...used, ...others].map((total) => {
      const free = lowest(covered, total.usage);
      covered -= free;
      return [total, free];
    }),
  );
}

type Used = Pick<Total, 'priceId' | 'usage' | 'events' | 'cells'>;

/**
 * Orders by the average price of a unit of the usage, compared without dividing; the order of ids decides between equal
 * ones. Usage of 0 has no average.
 */
export const dearestFirst = (rates: ReadonlyMap<string, Rate>) => (a: Used, b: Used) => {
  const difference = compareAverages(
    [rateOf(rates, b), measuredOf(b)],
    [rateOf(rates, a), measuredOf(a)],
  );
  if (difference !== 0) return difference;
  return a.priceId < b.priceId ? -1 : 1;
};

const measuredOf = ({ usage, events, cells }: Used) => ({ usage, events, cells, covered: 0n });

function rateOf(rates: ReadonlyMap<string, Rate>, { priceId }: Pick<Total, 'priceId'>): Rate {
  const rate = rates.get(priceId);
  if (!rate) throw new Error(`The price ${priceId} of what was used is not known`);
  return rate;
}
