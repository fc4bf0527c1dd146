import { decimalText, dividedHalfUp, halfUp } from '#domain/kernel/values/decimal.ts';

/** MRR as a whole number of 10^-12 minor units, in which sums are exact. */
export type Mrr = bigint;

const places = 12;
/** Amounts of thirds and sevenths have a last place that is rounded; their sum is exact to 6 places. */
const safePlaces = 10n ** 6n;

/** «833.333333333333» as exact MRR. */
export function mrrOf(text: string): Mrr {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const magnitude = BigInt(whole + fraction.padEnd(places, '0').slice(0, places));
  return text.startsWith('-') ? -magnitude : magnitude;
}

/** MRR of 0 or more in minor units, rounded once, half up. */
export const minorUnits = (mrr: Mrr): number => halfUp(dividedHalfUp(mrr, safePlaces), safePlaces);

const ratePlaces = 6;

/** A share as a decimal of 6 places; null of nothing. */
export const share = (part: bigint, whole: bigint): string | null =>
  whole === 0n
    ? null
    : decimalText(dividedHalfUp(part * 10n ** BigInt(ratePlaces), whole) * 1_000n);
