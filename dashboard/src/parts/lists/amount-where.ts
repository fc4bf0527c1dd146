import { minorOf, type Reading, readNumber } from '../fields/typed-number.ts';
import { digitsOf } from '../texts/formats.ts';
import type { Filters } from './use-filters.ts';

/** The currency of the amounts in an address: its own one, else that of the organization. */
export function currencyOf(filters: Filters, ownCurrency: string | undefined): string | undefined {
  const currency = filters.get('currency')?.toUpperCase() ?? ownCurrency;
  return currency && /^[A-Z]{3}$/.test(currency) ? currency : undefined;
}

/** An amount in an address, in major units of its currency. */
export const readBound = (text: string, currency = 'USD'): Reading =>
  readNumber(text, { decimals: digitsOf(currency), isAmount: true });

/**
 * The conditions `min` and `max` of an address as a condition on an amount. One that cannot be read matches no amount.
 * The bar of filters shows why.
 */
export function amountWhereOf(
  filters: Filters,
  ownCurrency: string | undefined,
): { currency: string; min?: number; max?: number } | undefined {
  const currency = currencyOf(filters, ownCurrency);
  const bounds = [filters.get('min'), filters.get('max')] as const;
  if (currency === undefined || bounds.every((text) => text === undefined)) return undefined;
  const [min, max] = bounds.map((text = '') => readBound(text, currency));
  if (min?.problem ?? max?.problem) return { currency, min: Number.MAX_SAFE_INTEGER };
  const minor = ({ number }: Reading) => minorOf(number, digitsOf(currency));
  return {
    currency,
    ...(min?.number && { min: minor(min) }),
    ...(max?.number && { max: minor(max) }),
  };
}
