import { z } from 'zod';
import { coded } from '#domain/kernel/inputs/input-issues.ts';

/** Amounts of usage have at most this many decimal places. */
export const decimalPlaces = 9;

const one = 10n ** BigInt(decimalPlaces);
const pattern = /^(-?)(\d+)(?:\.(\d+))?$/;
/** Most amounts are small whole numbers. */
const whole = /^-?\d+$/;

/** An exact decimal as a whole number of 10^-9, in which sums and differences are exact. */
export type Units = bigint;

/** «12.5» as units. Throws for text that is no decimal of at most nine places. */
export function unitsOf(text: string): Units {
  if (whole.test(text)) return BigInt(text) * one;
  const [, sign, integer = '', fraction = ''] = pattern.exec(text) ?? [];
  if (sign === undefined || fraction.length > decimalPlaces) {
    throw new RangeError(`${text} is no decimal of at most ${decimalPlaces} places`);
  }
  const units = BigInt(integer + fraction.padEnd(decimalPlaces, '0'));
  return sign ? -units : units;
}

/** Units as the shortest decimal text: «12.5». */
export function decimalText(units: Units): string {
  if (units % one === 0n) return String(units / one);
  const magnitude = units < 0n ? -units : units;
  const fraction = String(magnitude % one)
    .padStart(decimalPlaces, '0')
    .replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${magnitude / one}.${fraction}`;
}

/**
 * The decimal of a JSON number, as its shortest text. Undefined for a number that a binary float cannot represent
 * exactly: more than 15 digits that are no safe integer, or more than 9 places.
 */
export function exactText(value: number): string | undefined {
  if (Number.isSafeInteger(value)) return String(value === 0 ? 0 : value);
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15) return undefined;
  // Below a millionth JavaScript writes exponents, which decimals here do not have.
  const text =
    Math.abs(value) < 1e-6 ? value.toFixed(decimalPlaces).replace(/0+$/, '') : `${value}`;
  const digits = text.replace(/^-?0*\.?0*/, '').replace('.', '');
  const places = text.split('.')[1]?.length ?? 0;
  return digits.length <= 15 && places <= decimalPlaces && Number(text) === value
    ? text
    : undefined;
}

/** A JSON number as units. Errors: RangeError for a number that is no exact decimal of at most 9 places. */
export function unitsOfNumber(value: number): Units {
  const text = exactText(value);
  if (text === undefined) throw new RangeError(`${value} is no exact decimal`);
  return unitsOf(text);
}

/** A positive or negative number with all its digits: a decimal of at most 9 places and 15 digits. */
export const exactNumberInput = z
  .number()
  .refine(
    (value) => exactText(value) !== undefined,
    coded('OUT_OF_RANGE', [], `must have at most ${decimalPlaces} decimal places and 15 digits`),
  );

/**
 * A quotient rounded half up: a half goes away from 0, so that an amount and its correction cancel each other.
 * Errors: RangeError for a divisor of 0.
 */
export function dividedHalfUp(dividend: bigint, divisor: bigint): bigint {
  if (divisor < 0n) return dividedHalfUp(-dividend, -divisor);
  if (dividend < 0n) return -dividedHalfUp(-dividend, divisor);
  return (2n * dividend + divisor) / (2n * divisor);
}

/** `dividedHalfUp` for amounts in minor units. */
export const halfUp = (dividend: bigint, divisor: bigint): number =>
  Number(dividedHalfUp(dividend, divisor));

/**
 * The amount times part / whole, in minor units, rounded half up; 0 of a whole of 0. Amount and whole may be below 0:
 * a period from which more was credited than it has kept.
 */
export const proportion = (amount: number, part: number, whole: number): number =>
  whole === 0 ? 0 : halfUp(BigInt(amount) * BigInt(part), BigInt(whole));

/** The cost of `units` at a price in minor units for each `perUnit`, rounded half up once to a minor unit. */
export const costOf = (units: Units, unitPrice: number, perUnit: number): bigint =>
  dividedHalfUp(units * BigInt(unitPrice), BigInt(perUnit) * one);

const largest = unitsOf(String(Number.MAX_SAFE_INTEGER));

/** Whether text is a decimal that units can represent. */
function isDecimal(text: string): boolean {
  const parts = pattern.exec(text);
  return parts !== null && (parts[3] ?? '').length <= decimalPlaces;
}

/** A positive amount as decimal text. */
export const positiveDecimalInput = z.string().refine(
  (text) => {
    if (!isDecimal(text)) return false;
    const units = unitsOf(text);
    return units > 0n && units <= largest;
  },
  coded('OUT_OF_RANGE', [], `must be a decimal above 0 and at most ${Number.MAX_SAFE_INTEGER}`),
);

/** A decimal as an exact JSON number, also where a binary float could not represent it. */
export function jsonNumber(text: string): unknown {
  const value = Number(text);
  if (exactText(value) === text) return value;
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}
