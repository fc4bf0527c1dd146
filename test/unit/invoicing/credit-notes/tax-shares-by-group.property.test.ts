import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupLines } from '#domain/catalog/taxing/group-lines.ts';
import {
  revertLines,
  revertTotal,
  type TaxedCreditable,
} from '#domain/invoicing/crediting/tax-shares-by-group.ts';
import {
  type AppliedRate,
  amountsOf,
  spread,
  sumOfTaxes,
  type TaxRule,
  taxLinesOf,
} from '#domain/model/catalog/tax.ts';
import { seeded } from '../../../support/seeded.ts';

const rate = fc
  .record({
    ratePercentage: fc.constantFrom('0', '5', '7', '9.975', '19', '33.3333', '0.0001'),
    compound: fc.boolean(),
  })
  .map(
    ({ ratePercentage, compound }): AppliedRate => ({
      name: 'Tax',
      taxType: 'vat',
      ratePercentage,
      country: 'DE',
      state: null,
      compound,
      category: ratePercentage === '0' ? 'Z' : 'S',
      reason: null,
    }),
  );

const line = fc.record({
  amount: fc.oneof(fc.integer({ min: -500, max: 900 }), fc.integer({ min: 1, max: 10_000_000 })),
  code: fc.option(fc.constantFrom('book', 'food')),
  isDiscount: fc.boolean(),
});

const ruleOf = (
  lines: readonly { amount: number; code: string | null; isDiscount: boolean }[],
  rates: AppliedRate[][],
  inclusive: boolean,
) =>
  groupLines(
    lines.map(({ amount, code, isDiscount }) => ({
      amount,
      priceId: code,
      isSpread: isDiscount && amount < 0,
    })),
    {
      inclusive,
      codeOf: ({ priceId }) => priceId ?? null,
      ratesFor: (code) => rates[code === 'book' ? 0 : code === 'food' ? 1 : 2] ?? [],
    },
  );

test('the taxes of an invoice are not below 0, sum up to its tax, and each is its rate of its base', () => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.array(fc.array(rate, { maxLength: 3 }), { minLength: 3, maxLength: 3 }),
      fc.boolean(),
      (lines, rates, inclusive) => {
        const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
        fc.pre(subtotal >= 0);
        const rule = ruleOf(lines, rates, inclusive);
        const weights = (rule.groups ?? []).map(({ weight }) => weight);
        expect(Math.min(...weights)).toBeGreaterThanOrEqual(0);
        expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(subtotal);
        const amounts = amountsOf(subtotal, rule);
        const taxes = taxLinesOf(subtotal, rule);
        expect(sumOfTaxes(taxes)).toBe(amounts.taxAmount);
        expect(amounts.total).toBe(subtotal + (inclusive ? 0 : amounts.taxAmount));
        for (const { base, amount, ratePercentage } of taxes) {
          expect(Math.min(base, amount)).toBeGreaterThanOrEqual(0);
          const exact = (base * Number(ratePercentage)) / 100;
          // The base of inclusive tax is what the rounded taxes leave.
          expect(Math.abs(amount - exact)).toBeLessThanOrEqual(inclusive ? 3 : 0.500_001);
        }
      },
    ),
    seeded('taxes of groups'),
  );
});

test('whatever the parts, credit notes never exceed a tax of their invoice, and all of it is exactly all', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 3 }),
      fc.array(fc.array(rate, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 3 }),
      fc.boolean(),
      fc.array(fc.record({ share: fc.integer({ min: 1, max: 1_100 }), byLine: fc.boolean() }), {
        maxLength: 8,
      }),
      (bases, rates, inclusive, parts) => {
        const subtotal = bases.reduce((sum, base) => sum + base, 0);
        fc.pre(subtotal > 0);
        const groups = bases.map((weight, at) => ({ weight, rates: rates[at] as AppliedRate[] }));
        const rule: TaxRule = {
          taxType: 'vat',
          ratePercentage: '0',
          inclusive,
          country: null,
          state: null,
          groups,
        };
        const invoice = {
          ...amountsOf(subtotal, rule),
          taxInclusive: inclusive,
          taxLines: taxLinesOf(subtotal, rule),
          amountCredited: 0,
          taxCredited: 0,
          taxesCredited: null as TaxedCreditable['taxesCredited'],
        };
        const left = [...bases];
        const add = (note: ReturnType<typeof revertTotal>) => {
          const { subtotal, taxAmount, total } = note.amounts;
          expect(Math.min(subtotal, taxAmount)).toBeGreaterThanOrEqual(0);
          expect(total).toBe(subtotal + (inclusive ? 0 : taxAmount));
          expect(sumOfTaxes(note.taxLines)).toBe(taxAmount);
          expect(note.shares.reduce((sum, share) => sum + share, 0)).toBe(taxAmount);
          invoice.amountCredited += total;
          invoice.taxCredited += taxAmount;
          invoice.taxesCredited = note.taxesCredited;
          expect(invoice.amountCredited).toBeLessThanOrEqual(invoice.total);
          for (const [at, { amount }] of note.taxesCredited.entries()) {
            expect(amount).toBeLessThanOrEqual(invoice.taxLines[at]?.amount ?? 0);
            expect(amount).toBeGreaterThanOrEqual(0);
          }
        };
        let isByLine = true;
        for (const { share, byLine } of parts) {
          const rest = invoice.total - invoice.amountCredited;
          if (rest <= 0) break;
          if (byLine && isByLine) {
            const lines = left.map((base, taxGroup) => ({
              taxGroup,
              amount: Math.min(base, Math.ceil((base * share) / 1_000)),
            }));
            if (lines.every(({ amount }) => amount === 0)) continue;
            for (const [at, { amount }] of lines.entries()) left[at] = (left[at] ?? 0) - amount;
            add(revertLines(invoice, rule, lines));
          } else {
            isByLine = false;
            add(revertTotal(invoice, Math.min(rest, Math.ceil((rest * share) / 1_000))));
          }
        }
        const rest = invoice.total - invoice.amountCredited;
        if (rest > 0 && isByLine && left.some((base) => base > 0)) {
          add(
            revertLines(
              invoice,
              rule,
              left.map((amount, taxGroup) => ({ amount, taxGroup })),
            ),
          );
        } else if (rest > 0) add(revertTotal(invoice, rest));
        expect(invoice.amountCredited).toBe(invoice.total);
        expect(invoice.taxesCredited?.map(({ amount }) => amount)).toEqual(
          invoice.taxLines.map(({ amount }) => amount),
        );
      },
    ),
    seeded('reverted taxes'),
  );
});

test('parts of an amount in proportion to weights add up to it, and are not beyond it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e12 }),
      fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 6 }),
      (amount, weights) => {
        const parts = spread(amount, weights);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount);
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
        const negative = spread(-amount, weights);
        expect(negative.reduce((sum, part) => sum + part, 0) + amount).toBe(0);
      },
    ),
    seeded('spread amounts'),
  );
});
