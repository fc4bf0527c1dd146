const dayMilliseconds = 86_400_000;

/** The calendar by arithmetic alone: no Date and no library, so that it can judge both. */
export interface CivilTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** Milliseconds since midnight. */
  readonly time: number;
}

const isLeapYear = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const daysInMonth = (year: number, month: number) =>
  month === 2 ? (isLeapYear(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

/** Days from 1970-01-01 to January 1 of a year. */
function daysBeforeYear(year: number): number {
  const before = year - 1;
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  return before * 365 + leapDays - 719_162;
}

export function toMilliseconds({ year, month, day, time }: CivilTime): number {
  let days = daysBeforeYear(year) + day - 1;
  for (let before = 1; before < month; before++) days += daysInMonth(year, before);
  return days * dayMilliseconds + time;
}

export function toCivilTime(milliseconds: number): CivilTime {
  let days = Math.floor(milliseconds / dayMilliseconds);
  const time = milliseconds - days * dayMilliseconds;
  // At or before the year that is looked for, on either side of 1970.
  let year = 1969 + Math.floor(days / (days < 0 ? 365 : 366));
  while (daysBeforeYear(year + 1) <= days) year++;
  days -= daysBeforeYear(year);
  let month = 1;
  while (days >= daysInMonth(year, month)) days -= daysInMonth(year, month++);
  return { year, month, day: days + 1, time };
}

/** The same day of the month and time of day some months later; the last day where that month is shorter. */
function plusMonths({ year, month, day, time }: CivilTime, months: number): CivilTime {
  const index = year * 12 + (month - 1) + months;
  const to = { year: Math.floor(index / 12), month: (index % 12) + 1 };
  return { ...to, day: Math.min(day, daysInMonth(to.year, to.month)), time };
}

export type Unit = 'day' | 'week' | 'month' | 'year';

/** The boundary that is `place` intervals after the anchor, in milliseconds since 1970. */
export function boundaryAt(anchor: number, unit: Unit, count: number, place: number): number {
  const steps = count * place;
  if (unit === 'day') return anchor + steps * dayMilliseconds;
  if (unit === 'week') return anchor + steps * 7 * dayMilliseconds;
  const months = unit === 'year' ? steps * 12 : steps;
  return toMilliseconds(plusMonths(toCivilTime(anchor), months));
}
