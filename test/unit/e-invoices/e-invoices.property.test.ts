import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupLines } from '#domain/catalog/taxing/group-lines.ts';
import { documentParts } from '#domain/invoicing/einvoicing/document-parts.ts';
import { type AppliedRate, amountsOf, taxLinesOf } from '#domain/model/catalog/tax.ts';
import { seeded } from '../../support/seeded.ts';

const rateOf = (ratePercentage: string): AppliedRate => ({
  name: 'VAT',
  taxType: 'vat',
  ratePercentage,
  country: 'DE',
  state: null,
  compound: false,
  category: ratePercentage === '0' ? 'Z' : 'S',
  reason: null,
});

const line = fc.record({
  quantity: fc.constantFrom(1, 2, 7, 1.5, 0.333_333_333),
  price: fc.oneof(fc.integer({ min: -300, max: 500 }), fc.integer({ min: 1, max: 1_000_000 })),
  code: fc.option(fc.constantFrom('7', '0')),
  isDiscount: fc.boolean(),
});

test('the sums of a document follow the rules BR-CO of EN 16931, whatever its lines and rates', () => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 9 }),
      fc.boolean(),
      fc.boolean(),
      (drawn, isInclusive, isTaxed) => {
        const lines = drawn.map(({ quantity, price, code, isDiscount }) => ({
          ...{ description: 'x', quantity, price, code },
          amount: Math.round(quantity * price),
          isDiscount: isDiscount && price < 0,
        }));
        const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
        fc.pre(subtotal > 0);
        const rule = groupLines(
          lines.map(({ amount, code, isDiscount }) => ({
            amount,
            priceId: code,
            isSpread: isDiscount || (amount < 0 && !code),
          })),
          {
            inclusive: isInclusive,
            codeOf: ({ priceId }) => priceId ?? null,
            ratesFor: (code) => [rateOf(code ?? '19')],
          },
        );
        const isMixed = (rule.groups?.length ?? 0) > 1;
        const stored = lines.map((each, at) => ({
          ...each,
          taxGroup: isMixed ? (rule.lineGroups?.[at] ?? null) : null,
        }));
        const taxes = isTaxed ? taxLinesOf(subtotal, rule) : [];
        const inclusive = isInclusive && isTaxed;
        const parts = documentParts(stored, taxes, inclusive);
        const { total, taxAmount } = isTaxed
          ? amountsOf(subtotal, rule)
          : { total: subtotal, taxAmount: 0 };
        const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0);
        const signed = parts.allowances.map(({ isCharge, amount }) =>
          isCharge ? amount : -amount,
        );
        const net = sum(parts.vat.map(({ base }) => base));
        // BR-CO-10, BR-CO-13, BR-CO-14 and BR-CO-15.
        expect(sum(parts.lines.map(({ amount }) => amount)) + sum(signed)).toBe(net);
        expect(sum(parts.vat.map(({ amount }) => amount))).toBe(taxAmount);
        expect(net + taxAmount).toBe(total);
        expect(new Set(parts.vat.map(({ category, rate }) => `${category}${rate}`)).size).toBe(
          parts.vat.length,
        );
        for (const { category, rate, base, amount } of parts.vat) {
          const isOwn = (part: { category: string; rate: string | null }) =>
            part.category === category && part.rate === rate;
          const own = sum(parts.lines.filter(isOwn).map(({ amount }) => amount));
          const others = parts.allowances.filter(isOwn);
          // BR-S-08, and BR-S-09 with its tolerance.
          expect(
            own + sum(others.map(({ isCharge, amount }) => (isCharge ? amount : -amount))),
          ).toBe(base);
          expect(Math.abs((base * Number(rate ?? 0)) / 100 - amount)).toBeLessThanOrEqual(1);
        }
        for (const { price, quantity, amount } of parts.lines) {
          // BR-27: a price is not below 0.
          expect(price).toBeGreaterThanOrEqual(0);
          expect(price * Number(quantity)).toBe(amount);
        }
        for (const { amount } of parts.allowances) expect(amount).toBeGreaterThan(0);
      },
    ),
    seeded('sums of e-invoices'),
  );
});
