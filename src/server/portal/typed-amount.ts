import { digitsOf } from '#domain/kernel/currencies.ts';

/**
 * An amount as a person of a locale types it, such as `1,234.5`, `1.234,5` or `$5`, in minor units. Undefined for any
 * other text, and for more decimals than the currency has: `1.500` is no way to write 1.50 dollars, and may mean 1500.
 */
export function typedAmount(text: string, currency: string, locale: string): number | undefined {
  const digits = digitsOf(currency);
  const bare = text
    .replace(currency, '')
    .replace(/\p{Sc}/gu, '')
    .trim();
  const [, whole = '', part = ''] =
    /^(\d{1,13})(?:[.,](\d*))?$/.exec(ungrouped(bare, currency, locale)) ?? [];
  if (whole === '' || part.length > digits) return undefined;
  return Number(`${whole}${part.padEnd(digits, '0')}`);
}

/**
 * A number without the marks between its groups: those of the locale, which may be others for money, spaces and
 * apostrophes. India has groups of two digits, too.
 */
function ungrouped(text: string, currency: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const parts = format.formatToParts(1_234_567);
  const own = parts.find(({ type }) => type === 'group')?.value ?? '';
  const mark = `[${own === '.' || own === ',' ? own : ''}\\s'’]`;
  const grouped = new RegExp(`^\\d{1,3}(?:${mark}\\d{2,3})*${mark}\\d{3}(?!\\d)`);
  return text.replace(grouped, (whole) => whole.replace(/\D/g, ''));
}
