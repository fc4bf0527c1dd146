interface Interval {
  readonly intervalUnit: string | null;
  readonly intervalCount: number | null;
}

/** How often a price is charged, such as "a month" or "every 3 months". The word precedes a single unit. */
export function intervalText(
  { intervalUnit, intervalCount }: Interval,
  word: 'a' | 'every' = 'a',
): string {
  if (!intervalUnit) return 'once';
  const count = intervalCount ?? 1;
  return count === 1 ? `${word} ${intervalUnit}` : `every ${count} ${intervalUnit}s`;
}
