import { digitsOf } from '#domain/kernel/values/currencies.ts';
import { fromStripe, stripeCurrencies } from '#domain/money/processing/stripe/amounts.ts';

/** Converts a whole amount from Stripe's units to minor units of ISO 4217. Errors: UnfitAmount. */
export const minorUnitsOf = (amount: number, currency: string): number =>
  fromStripe(amount, currency);

/** The same for an exact decimal. Errors: UnfitAmount for a currency that Stripe does not charge in. */
export function decimalMinorUnits(text: string, currency: string): string {
  // Refuses an unknown currency.
  fromStripe(0, currency);
  const [stripeDigits = 2] = stripeCurrencies.get(currency) ?? [];
  return shifted(text, digitsOf(currency) - stripeDigits);
}

/** Moves the point of an exact decimal. */
function shifted(text: string, places: number): string {
  if (places === 0) return text;
  const [whole = '0', fraction = ''] = text.split('.');
  const digits = `${whole}${fraction}`.padStart(
    whole.length + fraction.length + Math.abs(places),
    '0',
  );
  const point = digits.length - fraction.length + places;
  const padded = digits.padEnd(point, '0');
  const moved = `${padded.slice(0, point)}.${padded.slice(point)}`;
  return moved.replace(/\.?0*$/, '').replace(/^0+(?=\d)/, '');
}
