import type { Interval } from '#domain/model/catalog/price.ts';
import { addDays, addMonths, daysBetween, monthsBetween } from './utc-calendar.ts';

/** Units of constant length; months vary, and are counted from the anchor. */
const sizes = {
  day: ['days', 1],
  week: ['days', 7],
  month: ['months', 1],
  year: ['months', 12],
} as const;

/**
 * The first instant after `after` at which a period ends that repeats from `anchor` on, in UTC. Each boundary counts
 * from the anchor, not from the previous one, so the day of the month stays. From January 31 the months end on
 * February 28 or 29, March 31, April 30.
 */
export const nextBoundary = (anchor: Date, interval: Interval, after: Date): Date =>
  cycleAt(anchor, interval, after).end;

/** The period that contains an instant, of the periods that repeat from `anchor` on. */
export function cycleAt(anchor: Date, interval: Interval, after: Date): { start: Date; end: Date } {
  const [kind, size] = sizes[interval.unit];
  const step = size * interval.count;
  const elapsed = kind === 'months' ? monthsBetween(anchor, after) : daysBetween(anchor, after);
  let place = Math.max(0, Math.floor(elapsed / step));
  while (boundary(place) <= after) place++;
  while (place > 0 && boundary(place - 1) > after) place--;
  return { start: boundary(place - 1), end: boundary(place) };

  function boundary(place: number): Date {
    const add = kind === 'months' ? addMonths : addDays;
    return add(anchor, place * step);
  }
}
