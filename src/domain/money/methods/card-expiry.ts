/**
 * The first day after the last month of a card, in UTC, by the data that a processor shows of it. Null where these state
 * no month.
 */
export function cardExpiry(data: Readonly<Record<string, unknown>>): Date | null {
  const year = Number(data.expYear ?? data.exp_year);
  const month = Number(data.expMonth ?? data.exp_month);
  const isMonth = Number.isInteger(month) && month >= 1 && month <= 12;
  if (!isMonth || !Number.isInteger(year) || year < 2000 || year > 2099) return null;
  return new Date(Date.UTC(year, month, 1));
}
