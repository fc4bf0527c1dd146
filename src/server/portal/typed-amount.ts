import { digitsOf } from '#domain/kernel/values/currencies.ts';

/**
 * An amount as a person of a locale types it, such as `1,234.5`, `1.234,5` or `$5`, in minor units. Undefined for any
 * other text, and for more decimals than the currency has: `1.500` is no way to write 1.50 dollars, and may mean 1500.
 */
export function typedAmount(text: string, currency: string, locale: string): number | undefined {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const partOf = (type: string) =>
    format.formatToParts(1_234_567).find((part) => part.type === type)?.value ?? '';
  const bare = text.replace(currency, '').replace(partOf('currency'), '').trim();
  const plain = ungrouped(bare, partOf('group'));
  const [, whole = '', part = ''] = /^(\d{1,13})(?:[.,](\d*))?$/.exec(plain) ?? [];
  const digits = digitsOf(currency);
  if (whole === '' || part.length > digits) return undefined;
  return Number(`${whole}${part.padEnd(digits, '0')}`);
}

/**
 * A number without the marks between its groups: that of money in the locale, spaces and apostrophes. India has groups
 * of two digits, too.
 */
function ungrouped(text: string, group: string): string {
  const mark = `[${/[.,]/.test(group) ? group : ''}\\s'’]`;
  const grouped = new RegExp(`^\\d{1,3}(?:${mark}\\d{2,3})*${mark}\\d{3}(?!\\d)`);
  return text.replace(grouped, (whole) => whole.replace(/\D/g, ''));
}
