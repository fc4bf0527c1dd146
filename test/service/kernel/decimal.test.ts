import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { dividedHalfUp, halfUp, proportion } from '#domain/kernel/values/decimal.ts';
import { test } from '../../support/test.ts';

describe('rounding', () => {
  test.for([
    [14n, 10n, 1],
    [15n, 10n, 2],
    [16n, 10n, 2],
    [-14n, 10n, -1],
    [-15n, 10n, -2],
    [-16n, 10n, -2],
    [-7n, 10n, -1],
    [0n, 10n, 0],
  ] as const)('of %i / %i is %i', ([dividend, divisor, expected]) => {
    expect(dividedHalfUp(dividend, divisor)).toBe(BigInt(expected));
    expect(halfUp(dividend, divisor)).toBe(expected);
  });

  test('is off by half a unit at most, and a correction cancels its amount', () => {
    const amounts = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
    const divisors = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(amounts, divisors, (dividend, divisor) => {
        const rounded = dividedHalfUp(dividend, divisor);
        const difference = 2n * (rounded * divisor - dividend);
        expect(difference <= divisor && -difference <= divisor).toBe(true);
        expect(dividedHalfUp(-dividend, divisor)).toBe(-rounded);
      }),
    );
  });

  test('of a share of an amount below 0 is that of the amount above 0', () => {
    expect(proportion(400, 727, 600)).toBe(485);
    expect(proportion(-400, 727, 600)).toBe(-485);
    expect(proportion(-1, 5, 10)).toBe(-1);
    expect(proportion(-400, 0, 0)).toBe(0);
  });

  test('of a share of a whole below 0 keeps the sign of the quotient', () => {
    expect(proportion(-400, -480, -400)).toBe(-480);
    expect(proportion(3, 1, -2)).toBe(-2);
    expect(dividedHalfUp(-3n, -2n)).toBe(2n);
  });

  test('refuses a divisor of 0', () => {
    expect(() => dividedHalfUp(1n, 0n)).toThrow(RangeError);
  });
});
