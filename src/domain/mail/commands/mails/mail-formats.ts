import { currencyDigits, moneyText } from '#domain/kernel/values/currencies.ts';

/** How a language and region write amounts, days and numbers. */
export type Formats = ReturnType<typeof createFormats>;

const known = new Map<string, Formats>();
/** A locale can have any extensions, so callers could name new ones without end. */
const mostKnown = 200;

/** The formats of a locale. They are kept: `Intl` takes longer to prepare one than a mail takes to write. */
export function formatsOf(locale: string): Formats {
  const kept = known.get(locale);
  if (kept) return kept;
  if (known.size >= mostKnown) known.clear();
  const formats = createFormats(locale);
  known.set(locale, formats);
  return formats;
}

function createFormats(locale: string) {
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const months = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
  return {
    money: (minorUnits: number, currency: string) =>
      moneyText(minorUnits, currency, currencyDigits.has(currency) ? 'symbol' : 'code', locale),
    /** The day of an instant in UTC; the empty text without one. */
    day: (at: Date | null | undefined) => (at ? days.format(at) : ''),
    /** The month of an instant in UTC, such as «March 2027». */
    month: (at: Date) => months.format(at),
    number: (value: string | number) => numbers.format(value as number),
  };
}
