/** A day in milliseconds. */
export const dayMilliseconds = 86_400_000;

/** The usage of a day (UTC). */
export interface DayOfUsage {
  readonly start: number;
  readonly usage: number;
}

/** How fast a balance is used, and when nothing is left of it. */
export interface RunOut {
  readonly perDay: number;
  /** Undefined while nothing is used. */
  readonly at: number | undefined;
}

/**
 * The average use of a day since the first day with usage, and when the balance is used up at that rate. The first day
 * counts as a whole one.
 */
export function runOutOf(days: readonly DayOfUsage[], available: number, now: number): RunOut {
  const first = days.find(({ usage }) => usage > 0)?.start;
  if (first === undefined) return { perDay: 0, at: undefined };
  const total = days.reduce((sum, { usage }) => sum + usage, 0);
  const perDay = total / Math.max(1, (now - first) / dayMilliseconds);
  if (perDay <= 0) return { perDay: 0, at: undefined };
  return { perDay, at: now + (Math.max(0, available) / perDay) * dayMilliseconds };
}

/** A day of a balance that is used at a constant rate. */
export interface DayOfBalance {
  readonly start: number;
  readonly balance: number;
}

const mostDays = 60;

/** The course of a balance from now until it is used up or its period ends, whichever is later; 60 days at most. */
export function balanceAhead(
  { perDay, at }: RunOut,
  available: number,
  now: number,
  periodEnd: number | null,
): DayOfBalance[] {
  const last = Math.max(at ?? now, periodEnd ?? now);
  const count = Math.min(mostDays, Math.ceil((last - now) / dayMilliseconds) + 1);
  return Array.from({ length: Math.max(2, count) }, (_, day) => ({
    start: now + day * dayMilliseconds,
    balance: Math.max(0, available - perDay * day),
  }));
}
