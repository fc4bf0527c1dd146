import { addDays, addMonths } from '#domain/subscriptions/periods/utc-calendar.ts';

/** A stop of a clock; usage up to it is always recorded. */
export interface Stop {
  readonly at: Date;
  readonly arrives?: boolean;
  readonly decides?: boolean;
}

const months = 13;
const daysOfMonth = 30;
const hourMilliseconds = 3_600_000;

/** The length of the demo in days. */
export const yearDays = 365;

/**
 * The stops of one of several clocks until now. The customers of a clock arrive on one day of the month, so that their
 * renewals are due at one instant and become one batch. In the last month some arrive on every second day.
 */
export function stopsOf(clock: number, clocks: number, now: Date): Stop[] {
  const began = addDays(now, -yearDays);
  const newest = addDays(now, -((clock + 0.5) * daysOfMonth) / clocks);
  const cohorts = Array.from({ length: months }, (_, month) => addMonths(newest, -month));
  const ofMonths = cohorts.flatMap((day): Stop[] => [
    // Usage counts for its period until the period ends.
    { at: new Date(day.getTime() - hourMilliseconds) },
    { at: day, arrives: true },
    { at: addDays(day, 10), decides: true },
  ]);
  const ofDays = Array.from(
    { length: daysOfMonth },
    (_, day): Stop => ({ at: addDays(now, -day - 0.3), arrives: day % (2 * clocks) === 2 * clock }),
  );
  const isWithin = ({ at }: Stop) => at > began && at < now;
  return [
    ...ofMonths,
    ...ofDays.filter(({ arrives }) => arrives),
    { at: now, arrives: true, decides: true },
  ]
    .filter((stop) => stop.at.getTime() === now.getTime() || isWithin(stop))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
}
