const dayMilliseconds = 86_400_000;

/** The instant a number of days before another one. */
export const before = (now: Date, days: number) => new Date(now.getTime() - days * dayMilliseconds);
