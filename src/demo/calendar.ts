import { UTCDate } from '@date-fns/utc';
import { addDays } from 'date-fns/addDays';
import { addHours } from 'date-fns/addHours';
import { subDays } from 'date-fns/subDays';
import { subMonths } from 'date-fns/subMonths';

/** A stop of a clock; usage up to it is always recorded. */
export interface Stop {
  readonly at: Date;
  readonly arrives?: boolean;
  readonly decides?: boolean;
}

const months = 13;
const daysOfMonth = 30;

/** The length of the demo in days. */
export const yearDays = 365;

/**
 * The stops of one of several clocks until now. The customers of a clock arrive on one day of the month, so that their
 * renewals are due at one instant and become one batch. In the last month some arrive on every second day.
 */
export function stopsOf(clock: number, clocks: number, now: Date): Stop[] {
  const began = subDays(now, yearDays);
  const newest = subDays(new UTCDate(now), ((clock + 0.5) * daysOfMonth) / clocks);
  const cohorts = Array.from({ length: months }, (_, month) => subMonths(newest, month));
  const ofMonths = cohorts.flatMap((day): Stop[] => [
    // Usage counts for its period until the period ends.
    { at: addHours(day, -1) },
    { at: day, arrives: true },
    { at: addDays(day, 10), decides: true },
  ]);
  const ofDays = Array.from(
    { length: daysOfMonth },
    (_, day): Stop => ({ at: subDays(now, day + 0.3), arrives: day % (2 * clocks) === 2 * clock }),
  );
  const isWithin = ({ at }: Stop) => at > began && at < now;
  return [
    ...ofMonths,
    ...ofDays.filter(({ arrives }) => arrives),
    { at: now, arrives: true, decides: true },
  ]
    .filter((stop) => stop.at.getTime() === now.getTime() || isWithin(stop))
    .map(({ at, ...rest }) => ({ at: new Date(at.getTime()), ...rest }))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
}
