import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountsOf, ratePattern, taxTypes } from '#domain/model/catalog/tax.ts';
import { seeded } from '../../../support/seeded.ts';

/** A rate as text, and as a count of ten-thousandths of a percent. */
const rate = fc.tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.nat(4)).map(([count, places]) => {
  const whole = Math.floor(count / 10_000);
  const decimals = String(count % 10_000)
    .padStart(4, '0')
    .slice(0, places);
  const text = decimals ? `${whole}.${decimals}` : `${whole}`;
  const exact = BigInt(whole) * 10_000n + BigInt(decimals.padEnd(4, '0') || '0');
  return { text, exact };
});
const lines = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }),
  fc.nat(Math.floor(Number.MAX_SAFE_INTEGER / 2)),
);
const levied = fc.constantFrom(...taxTypes.filter((type) => type !== 'none'));

describe('tax of an invoice', () => {
  test('is within half a unit of the exact amount, and a half goes up', () => {
    const property = fc.property(
      lines,
      rate,
      levied,
      fc.boolean(),
      (lines, rate, taxType, inclusive) => {
        expect(rate.text).toMatch(ratePattern);
        const rule = { taxType, ratePercentage: rate.text, inclusive, country: null, state: null };
        const { subtotal, taxAmount, total } = amountsOf(lines, rule);
        expect({ subtotal, total }).toEqual({
          subtotal: lines,
          total: inclusive ? lines : lines + taxAmount,
        });
        // The tax is the whole number t with t - 1/2 <= part / base < t + 1/2, without any division.
        const base = 1_000_000n + (inclusive ? rate.exact : 0n);
        const part = BigInt(lines) * rate.exact;
        const twice = 2n * BigInt(taxAmount);
        expect((twice - 1n) * base <= 2n * part && 2n * part < (twice + 1n) * base).toBe(true);
      },
    );
    fc.assert(property, seeded('tax.test.ts', { numRuns: 5_000 }));
  });

  test.each([
    [10, '5', false, 1, 11],
    [9, '5', false, 0, 9],
    [1_000, '8.875', false, 89, 1_089],
    [119, '19', true, 19, 119],
    [3, '20', true, 1, 3],
    [1, '100', true, 1, 1],
    [0, '19', false, 0, 0],
  ])(
    'of %i at %s %% (inclusive: %s) is %i, and the total %i',
    (lines, ratePercentage, inclusive, taxAmount, total) => {
      const rule = {
        taxType: 'vat',
        ratePercentage,
        inclusive,
        country: null,
        state: null,
      } as const;
      expect(amountsOf(lines, rule)).toEqual({ subtotal: lines, taxAmount, total });
    },
  );

  test('is nothing without a rule, and with the type none', () => {
    const none = {
      taxType: 'none',
      ratePercentage: '19',
      inclusive: false,
      country: null,
      state: null,
    } as const;
    for (const rule of [null, none]) {
      expect(amountsOf(1_000, rule)).toEqual({ subtotal: 1_000, taxAmount: 0, total: 1_000 });
    }
  });
});
