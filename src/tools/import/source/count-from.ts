import { cycleAt } from '#domain/subscriptions/periods/next-boundary.ts';
import type { SourcePrice } from './source.ts';

type Interval = Required<Pick<SourcePrice, 'intervalUnit' | 'intervalCount'>>;

const mostSteps = 24;

/**
 * The latest instant from which periods can be counted so that one of them is this period. All later ones are those of
 * the anchor. It is the begin of the period, or of an earlier one where that day is missing in a month: the period
 * from February 28 to March 31 is counted from January 31. `anchor` is the instant from which the other system counts.
 * Returns undefined where no period fits.
 */
export function countFrom(
  { start, end }: { readonly start: Date; readonly end: Date },
  anchor: Date,
  { intervalUnit: unit = 'month', intervalCount: count = 1 }: Interval,
): Date | undefined {
  const interval = { unit, count };
  const fits = (from: Date) => {
    const cycle = cycleAt(from, interval, start);
    return cycle.start.getTime() === start.getTime() && cycle.end.getTime() === end.getTime();
  };
  let from = start;
  let fitting: Date | undefined;
  for (let step = 0; step < mostSteps && from >= anchor; step++) {
    if (fits(from)) fitting ??= from;
    if (fitting && (unit === 'day' || unit === 'week')) return fitting;
    // Two short months in a row fit with several days of the month: that of the anchor is meant.
    if (fitting && from.getUTCDate() === anchor.getUTCDate() && fits(from)) return from;
    if (from.getTime() === anchor.getTime()) return fitting;
    // The period of the anchor that ends where this one begins.
    from = cycleAt(anchor, interval, new Date(from.getTime() - 1)).start;
  }
  return fitting;
}
