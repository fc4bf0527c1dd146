import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unitsOf } from '#domain/kernel/values/decimal.ts';
import { costOfUsage } from '#domain/model/catalog/cost.ts';
import { pricingOf } from '#domain/model/catalog/pricing.ts';
import { expectedAmount, type PriceSketch, usagePrices } from '../../../support/priced.ts';
import '../../../support/properties.ts';

const termsOf = ({ unitPrice, perUnit = 1, ...fields }: PriceSketch) => ({
  unitPrice,
  perUnit,
  pricing: pricingOf({ model: 'per_unit', ...fields }),
});

const tenths = fc.nat(900).map((n) => String(n / 10));
const usages = fc.oneof(
  fc.nat(80).map(String),
  tenths,
  fc.constantFrom('0', '1', '3', '7.5', '10'),
);

const cellKeys = ['["eu","big"]', '["eu","small"]', '["us","big"]', ''];
const matrix = fc.record({
  prices: fc.tuple(...cellKeys.map(() => fc.constantFrom('0', '1', '2.5', '40', '0.01'))),
  amounts: fc.tuple(...cellKeys.map(() => tenths)),
  maximumAmount: fc.constantFrom(undefined, 300),
});

describe('the cost of usage', () => {
  test('is that of the guide in exact fractions, for every model, quantity and coverage', () => {
    fc.assert(
      fc.property(usagePrices, usages, fc.nat(100), fc.nat(5), (price, usage, percent, events) => {
        const covered = String(Math.floor(Number(usage) * percent) / 100);
        const terms = termsOf(price);
        const of = { usage: unitsOf(usage), covered: unitsOf(covered), events };
        const { amount, parts } = costOfUsage(terms, of);
        expect(amount).toBe(expectedAmount(price, usage, covered, {}, events));
        expect(parts.reduce((sum, part) => sum + part.amount, 0)).toBe(amount);
        const units = parts.filter(({ kind }) => ['units', 'free', 'covered'].includes(kind));
        const placed = units.reduce((sum, { quantity }) => sum + unitsOf(quantity), 0n);
        const isPlaced = !['flat', 'package'].includes(price.model ?? '');
        if (isPlaced && of.covered < of.usage) expect(placed).toBe(of.usage);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is that of the guide for matrices, in which credits cover the dearest cells', () => {
    fc.assert(
      fc.property(matrix, fc.nat(99), ({ prices, amounts, maximumAmount }, percent) => {
        const [first = '0', second = '0', third = '0', otherUnitPrice = '0'] = prices;
        const cells = [first, second, third].map((unitPrice, at) => ({
          values: JSON.parse(cellKeys[at] as string) as string[],
          unitPrice,
        }));
        const price: PriceSketch = {
          model: 'matrix',
          unitPrice: 0,
          matrix: { dimensions: ['region', 'size'], cells, otherUnitPrice },
          ...(maximumAmount && { maximumAmount }),
        };
        const sum = amounts.reduce((sum, amount) => sum + Math.round(Number(amount) * 10), 0) / 10;
        const covered = String(Math.floor(sum * percent) / 100);
        const byCell = Object.fromEntries(cellKeys.map((key, at) => [key, amounts[at] as string]));
        const { amount, parts } = costOfUsage(termsOf(price), {
          usage: unitsOf(String(sum)),
          covered: unitsOf(covered),
          cells: new Map(Object.entries(byCell).map(([key, amount]) => [key, unitsOf(amount)])),
        });
        expect(amount).toBe(expectedAmount(price, String(sum), covered, byCell));
        expect(parts.reduce((sum, part) => sum + part.amount, 0)).toBe(amount);
      }),
      { numRuns: 500 },
    );
  });
});
