import { currencyDigits, moneyText } from '#domain/kernel/currencies.ts';

/** How a language and region write amounts, days and numbers. */
export const formatsOf = (locale: string) => ({
  money: (minorUnits: number, currency: string) =>
    moneyText(minorUnits, currency, currencyDigits.has(currency) ? 'symbol' : 'code', locale),
  /** The day of an instant in UTC; the empty text without one. */
  day: (at: Date | null | undefined) =>
    at ? new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(at) : '',
  /** The month of an instant in UTC, such as «March 2027». */
  month: (at: Date) =>
    new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(at),
  number: (value: string | number) =>
    new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }).format(value as number),
});

export type Formats = ReturnType<typeof formatsOf>;
