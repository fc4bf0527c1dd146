const dayMilliseconds = 86_400_000;

/** A number of days after an instant. */
export const daysAfter = (date: Date, days: number) =>
  new Date(date.getTime() + days * dayMilliseconds);
