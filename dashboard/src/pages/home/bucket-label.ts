/** The label of a bucket that begins at an instant (UTC). */
export function bucketLabel(start: number, interval: 'day' | 'week' | 'month'): string {
  const parts = interval === 'month' ? { year: '2-digit' } : { day: 'numeric' };
  const format = { month: 'short', timeZone: 'UTC', ...parts } as Intl.DateTimeFormatOptions;
  return new Intl.DateTimeFormat(undefined, format).format(start);
}
