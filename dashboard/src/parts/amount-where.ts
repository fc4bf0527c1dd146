import { digitsOf } from './formats.ts';
import type { Filters } from './use-filters.ts';

/**
 * The conditions `min` and `max` of an address, in major units of its condition `currency` or of the organization's
 * currency, as a condition on an amount.
 */
export function amountWhereOf(
  filters: Filters,
  ownCurrency: string | undefined,
): { currency: string; min?: number; max?: number } | undefined {
  const currency = filters.get('currency')?.toUpperCase() ?? ownCurrency;
  if (!currency || !/^[A-Z]{3}$/.test(currency)) return undefined;
  const min = minorOf(filters.get('min'), currency);
  const max = minorOf(filters.get('max'), currency);
  if (min === undefined && max === undefined) return undefined;
  return { currency, ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

function minorOf(text: string | undefined, currency: string): number | undefined {
  const amount = text ? Math.round(Number(text) * 10 ** digitsOf(currency)) : Number.NaN;
  return Number.isSafeInteger(amount) ? amount : undefined;
}
