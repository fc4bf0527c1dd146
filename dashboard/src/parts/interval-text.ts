interface Interval {
  readonly intervalUnit: string | null;
  readonly intervalCount: number | null;
}

/** How often a price is charged, such as "a month" or "every 3 months". */
export function intervalText({ intervalUnit, intervalCount }: Interval): string {
  if (!intervalUnit) return 'once';
  const count = intervalCount ?? 1;
  return count === 1 ? `a ${intervalUnit}` : `every ${count} ${intervalUnit}s`;
}
