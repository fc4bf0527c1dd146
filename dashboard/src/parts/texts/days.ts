/**
 * The days and times of all pages. They are those of UTC, as billing periods, buckets of charts and documents are, so
 * that one instant has one day everywhere. No other module makes days.
 */
const timeZone = 'UTC';

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, { ...options, timeZone });

/** A day, such as 3 Mar 2026. */
export const dayText = (instant: number) => inUtc({ dateStyle: 'medium' }).format(instant);

/** A day with its time, which names its time zone. */
export const instantText = (instant: number) =>
  inUtc({ dateStyle: 'medium', timeStyle: 'long' }).format(instant);

/** The same by the clock of the reader; null where that has the time of UTC. */
export function readersText(instant: number): string | null {
  if (new Date(instant).getTimezoneOffset() === 0) return null;
  const styles = { dateStyle: 'medium', timeStyle: 'long' } as const;
  return new Intl.DateTimeFormat(undefined, styles).format(instant);
}

const buckets = {
  hour: { month: 'short', day: 'numeric', hour: 'numeric' },
  day: { month: 'short', day: 'numeric' },
  week: { month: 'short', day: 'numeric' },
  month: { month: 'short', year: '2-digit' },
} as const;

/** The label of a bucket that begins at an instant. */
export const bucketLabel = (start: number, interval: keyof typeof buckets): string =>
  inUtc(buckets[interval]).format(start);

/** An instant for programs. */
export const isoText = (instant: number) => new Date(instant).toISOString();

/** The day of an instant as fields and addresses have it, such as 2026-03-31; empty for none. */
export const dayOf = (instant: number | null | undefined) =>
  instant == null ? '' : isoText(instant).slice(0, 10);

/** The first instant of a day that a field or an address has; undefined for none. */
export function startOf(day: string | undefined): number | undefined {
  const instant = day ? Date.parse(day) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

/** The time of an instant as a field has it, such as 2026-03-31 10:00:00. */
export const timeOf = (instant: number) => isoText(instant).slice(0, 19).replace('T', ' ');

/** The instant of a time that a field has. */
export const instantAt = (time: string) => Date.parse(`${time.replace(' ', 'T')}Z`);

/** The instant that a text for programs names. */
export const instantOfIso = (text: string) => Date.parse(text);

/** The first instant of the month that is `count` months before that of an instant. */
export function monthsBefore(instant: number, count: number): number {
  const date = new Date(instant);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count, 1);
}
