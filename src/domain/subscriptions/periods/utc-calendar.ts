const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** The instant so many days later in UTC; earlier for a negative number. */
export function addDays(date: Date, days: number): Date {
  const sum = new Date(date);
  sum.setUTCDate(sum.getUTCDate() + days);
  return sum;
}

/**
 * The instant so many months later in UTC; earlier for a negative number. A day that the month lacks becomes its last
 * day.
 */
export function addMonths(date: Date, months: number): Date {
  const sum = new Date(date);
  sum.setUTCMonth(sum.getUTCMonth() + months + 1, 0);
  sum.setUTCDate(Math.min(date.getUTCDate(), sum.getUTCDate()));
  return sum;
}

/** How many times the month of the calendar changes in UTC from one instant to another. */
export const monthsBetween = (from: Date, to: Date): number =>
  (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();

/** The whole days from one instant to another. */
export const daysBetween = (from: Date, to: Date): number =>
  Math.trunc((to.getTime() - from.getTime()) / dayMilliseconds);
