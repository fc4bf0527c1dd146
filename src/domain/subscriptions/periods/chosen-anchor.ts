import { invalid } from '#domain/kernel/errors.ts';
import type { Interval } from '#domain/model/catalog/price.ts';
import { nextBoundary } from './next-boundary.ts';

/**
 * The latest midnight in UTC, at most `at`, of a day of the month. It is in a month that has the day. So periods end on
 * the last day of shorter months, and return to the day in longer ones.
 */
export function anchorOnDay(day: number, at: Date): Date {
  for (let months = 0; ; months++) {
    const date = new Date(at);
    date.setUTCHours(0, 0, 0, 0);
    date.setUTCMonth(date.getUTCMonth() - months, 1);
    date.setUTCDate(day);
    if (date.getUTCDate() === day && date <= at) return date;
  }
}

/** How a caller chooses an anchor: an instant, or a day of the month. */
export interface ChosenAnchor {
  readonly at?: Date | null | undefined;
  readonly dayOfMonth?: number | null | undefined;
  /** The path of the input; empty at its top level. */
  readonly path: string;
}

/**
 * The chosen anchor of periods of which the first one begins at `from`; null where none is chosen. Errors: BAD_REQUEST
 * for a day of the month with an interval of days or weeks, and for an instant more than one interval after `from`.
 */
export function chosenAnchor(
  { at, dayOfMonth, path }: ChosenAnchor,
  from: Date,
  interval: Interval | null,
): Date | null {
  const field = dayOfMonth != null ? 'anchorDayOfMonth' : 'billingCycleAnchorDate';
  if (at == null && dayOfMonth == null) return null;
  if (!interval) {
    throw invalid(
      'NOT_ALLOWED',
      `${path}${field}`,
      'must be left out for a price that does not renew',
    );
  }
  if (dayOfMonth != null) {
    if (interval.unit === 'month' || interval.unit === 'year') return anchorOnDay(dayOfMonth, from);
    const message = `must be left out where periods repeat by the ${interval.unit}`;
    throw invalid('NOT_ALLOWED', `${path}${field}`, message);
  }
  const latest = nextBoundary(from, interval, from);
  if (at && at > latest) {
    const message = `must be at most ${latest.toISOString()}, one interval after the first charged period begins`;
    throw invalid('OUT_OF_RANGE', `${path}${field}`, message);
  }
  return at ?? null;
}
