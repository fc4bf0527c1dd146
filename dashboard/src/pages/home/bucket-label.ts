const formats = {
  hour: { month: 'short', day: 'numeric', hour: 'numeric', timeZone: 'UTC' },
  day: { month: 'short', day: 'numeric', timeZone: 'UTC' },
  week: { month: 'short', day: 'numeric', timeZone: 'UTC' },
  month: { month: 'short', year: '2-digit', timeZone: 'UTC' },
} as const;

/** The label of a bucket that begins at an instant (UTC). */
export const bucketLabel = (start: number, interval: keyof typeof formats): string =>
  new Intl.DateTimeFormat(undefined, formats[interval]).format(start);
